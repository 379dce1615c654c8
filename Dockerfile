FROM python:3.11-slim

WORKDIR /srv/podwright
COPY constraints.txt pyproject.toml README.md LICENSE ./
COPY app app
COPY templates templates
COPY static static
COPY seed_data seed_data
RUN pip install --no-cache-dir --constraint constraints.txt . \
    && useradd --system --home-dir /data podwright \
    && install --directory --owner=podwright /data

USER podwright
WORKDIR /data
VOLUME /data
ENV PODWRIGHT_DATA_DIR=/data PODWRIGHT_HOST=0.0.0.0
EXPOSE 8000
CMD ["podwright", "serve"]

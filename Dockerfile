FROM python:3.11-slim

# What is installed beside the core: cluster (sweeps on other machines), oidc (sign-in elsewhere).
ARG EXTRAS=cluster,oidc

WORKDIR /srv/podwright
COPY constraints.txt pyproject.toml README.md LICENSE ./
COPY app app
COPY templates templates
COPY static static
COPY seed_data seed_data
RUN pip install --no-cache-dir --constraint constraints.txt ".[${EXTRAS}]" \
    && useradd --system --home-dir /data podwright \
    && install --directory --owner=podwright /data

USER podwright
WORKDIR /data
VOLUME /data
# Others can reach it: it does not start without PODWRIGHT_SECRET and an administrator (docs/deploy.md).
ENV PODWRIGHT_DATA_DIR=/data PODWRIGHT_HOST=0.0.0.0 PODWRIGHT_LOG_FORMAT=json
EXPOSE 8000
CMD ["podwright", "serve"]

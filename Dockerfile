# The wheel is built apart, so that the image holds nothing that builds.
FROM python:3.11-slim AS wheel

WORKDIR /src
COPY requirements/build.txt requirements/
RUN pip install --no-cache-dir --require-hashes -r requirements/build.txt
COPY pyproject.toml README.md LICENSE ./
COPY app app
COPY templates templates
COPY static static
COPY seed_data seed_data
COPY docs docs
RUN pip wheel --no-deps --no-build-isolation --wheel-dir /wheels .

FROM python:3.11-slim

# The extras cluster (sweeps on other machines) and oidc (sign-in elsewhere) are in; docs/dependencies.md lists all.
COPY requirements/image.txt /tmp/requirements.txt
COPY --from=wheel /wheels /tmp/wheels
RUN pip install --no-cache-dir --require-hashes -r /tmp/requirements.txt \
    && pip install --no-cache-dir --no-deps /tmp/wheels/*.whl \
    && rm -r /tmp/requirements.txt /tmp/wheels \
    && useradd --system --home-dir /data podwright \
    && install --directory --owner=podwright /data

USER podwright
WORKDIR /data
VOLUME /data
# Others can reach it: it does not start without PODWRIGHT_SECRET and an administrator (docs/deploy.md).
ENV PODWRIGHT_DATA_DIR=/data PODWRIGHT_HOST=0.0.0.0 PODWRIGHT_LOG_FORMAT=json
EXPOSE 8000
CMD ["podwright", "serve"]

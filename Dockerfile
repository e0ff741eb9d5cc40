# SPDX-License-Identifier: GPL-2.0-only
# The geotrain program on Debian 12: docker build -t geotrain . && docker run --rm --user "$(id -u)" -v "$PWD:/work" geotrain run three-dc-gpt
FROM debian:12 AS build
COPY . /geotrain
WORKDIR /geotrain
RUN apt-get update -q \
    && DEBIAN_FRONTEND=noninteractive xargs apt-get install -q -y --no-install-recommends dpkg-dev file < cmake/debian-packages.txt \
    && cmake --preset release -DGEOTRAIN_TESTS=OFF \
    && cmake --build --preset release --target packaged \
    && cpack --config build/release/CPackConfig.cmake -B /package

FROM debian:12
COPY --from=build /package/*.deb /tmp/
RUN apt-get update -q \
    && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends /tmp/geotrain_*.deb \
    && rm -rf /tmp/*.deb /var/lib/apt/lists/* \
    && useradd --create-home user \
    && install -d -o user /work
USER user
WORKDIR /work
ENTRYPOINT ["geotrain"]

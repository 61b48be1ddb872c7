// swift-tools-version: 6.1
import PackageDescription

/// The measurements of `make benchmark`, in a package of their own, so that no other build needs their dependencies.
let package = Package(
  name: "wifi-harness-benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "wifi-harness", path: ".."),
    .package(url: "https://github.com/ordo-one/benchmark", exact: "1.38.1", traits: []),
  ],
  targets: [
    .target(name: "CWalk", cSettings: [.unsafeFlags(["-O2"])]),
    .executableTarget(
      name: "WiFiBenchmarks",
      dependencies: [
        "CWalk",
        .product(name: "Benchmark", package: "benchmark"),
        .product(name: "Determinism", package: "wifi-harness"),
        .product(name: "Harness", package: "wifi-harness"),
        .product(name: "Models", package: "wifi-harness"),
        .product(name: "Observing", package: "wifi-harness"),
        .product(name: "Page", package: "wifi-harness"),
        .product(name: "ScanTools", package: "wifi-harness"),
        .product(name: "Simulator", package: "wifi-harness"),
        .product(name: "Terminal", package: "wifi-harness"),
        .product(name: "WiFi", package: "wifi-harness"),
      ],
      path: "Benchmarks/WiFiBenchmarks",
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
    ),
    .executableTarget(
      name: "DeterminismFigures",
      dependencies: [
        .product(name: "Determinism", package: "wifi-harness"),
        .product(name: "SystemInterposing", package: "wifi-harness"),
      ]),
    .executableTarget(
      name: "WorldMemory",
      dependencies: [
        .product(name: "Determinism", package: "wifi-harness"),
        .product(name: "Harness", package: "wifi-harness"),
        .product(name: "Models", package: "wifi-harness"),
        .product(name: "Observing", package: "wifi-harness"),
        .product(name: "Simulator", package: "wifi-harness"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)

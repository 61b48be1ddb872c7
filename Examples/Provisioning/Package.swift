// swift-tools-version: 6.2
import PackageDescription

/// A package of another project: its own model, tested with `wifi-harness`.
///
/// It does not enable the upcoming feature `NonisolatedNonsendingByDefault`, so the model says `nonisolated(nonsending)`
/// where it means it. With `PROVISIONING_NONSENDING=1` the feature is on, and everything compiles the same.
let package = Package(
  name: "Provisioning",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [.library(name: "Provisioning", targets: ["Provisioning"])],
  dependencies: [.package(name: "wifi-harness", path: "../..", traits: [])],
  targets: [
    .target(name: "Provisioning", dependencies: [.product(name: "WiFi", package: "wifi-harness")]),
    .testTarget(
      name: "ProvisioningTests",
      dependencies: [
        "Provisioning",
        .product(name: "Determinism", package: "wifi-harness"),
        .product(name: "Harness", package: "wifi-harness"),
        .product(name: "DaemonControl", package: "wifi-harness"),
        .product(name: "Models", package: "wifi-harness"),
        .product(name: "Observing", package: "wifi-harness"),
        .product(name: "Scanner", package: "wifi-harness"),
        .product(name: "Simulator", package: "wifi-harness"),
        .product(name: "WiFi", package: "wifi-harness"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)

if Context.environment["PROVISIONING_NONSENDING"] != nil {
  for target in package.targets { target.swiftSettings = [.enableUpcomingFeature("NonisolatedNonsendingByDefault")] }
}
if Context.environment["WIFI_HARNESS_WARNINGS_AS_ERRORS"] != nil {
  for target in package.targets { target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)] }
}

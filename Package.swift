// swift-tools-version: 6.2
import PackageDescription

/// The live link needs Linux and libnl; everything else builds wherever Swift does.
/// `WIFI_HARNESS_WITHOUT_LIBNL=1` leaves libnl out on Linux too, which proves the second half of that sentence.
#if os(Linux)
  let withLibnl = Context.environment["WIFI_HARNESS_WITHOUT_LIBNL"] == nil
#else
  let withLibnl = false
#endif

let package = Package(
  name: "wifi-harness",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "WiFi", targets: ["WiFi"])
  ],
  dependencies: [],
  targets: [
    .target(name: "WiFi"),
    .testTarget(name: "WiFiTests", dependencies: ["WiFi"]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system && target.type != .plugin {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .strictMemorySafety(),
  ]
}

// swift-tools-version: 6.0
import PackageDescription

/// A suite with a test of each kind that the command for flaky suites knows.
let package = Package(
  name: "FlakySuite",
  platforms: [.macOS(.v13)],
  targets: [
    .target(name: "Flaky"),
    .testTarget(name: "FlakyTests", dependencies: ["Flaky"]),
    .testTarget(name: "FlakyXCTests", dependencies: ["Flaky"]),
  ]
)

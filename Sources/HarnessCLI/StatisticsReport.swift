import Simulator

/// What `--verify-statistics` prints.
enum StatisticsReport {
  static func run(seed: UInt64?) throws {
    throw Failure(.software, "no statistics yet.")
  }
}

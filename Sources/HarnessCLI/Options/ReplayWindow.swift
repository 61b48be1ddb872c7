import ArgumentParser
import ScanTools
import WiFi

/// A moment of a recording: a time after its first scan, or one in UTC.
enum MomentOption: ExpressibleByArgument, Sendable, CustomStringConvertible {
  case after(Duration, String)
  case at(UTCTime, String)

  init?(argument: String) {
    let plain = argument.hasSuffix("Z") ? String(argument.dropLast()) : argument
    let parts = plain.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fraction = parts.count > 1 ? parts[1] : "0"
    let digits = (fraction + "000000000").prefix(9)
    if let moment = UTCTime(parts[0].split(separator: "T", maxSplits: 1).joined(separator: " ")), let nanoseconds = Int64(digits),
      (1...9).contains(fraction.utf8.count), fraction.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    {
      self = .at(moment.advanced(by: .nanoseconds(nanoseconds)), argument)
    } else if let time = TimeOption(argument: argument) {
      self = .after(time.duration, argument)
    } else {
      return nil
    }
  }

  var description: String {
    switch self {
    case .after(_, let text), .at(_, let text): text
    }
  }

  /// Whether the end of a scan is at this moment or behind it.
  func isReached(at time: Duration, _ utc: UTCTime?) throws(Failure) -> Bool {
    switch self {
    case .after(let wanted, _): return time >= wanted
    case .at(let wanted, let text):
      guard let utc else {
        throw Failure(
          .dataError,
          "the recording does not say when it began, so \(text) cannot be found in it; give a time after its first scan, such as 10m.")
      }
      return utc >= wanted
    }
  }
}

/// The part of a recording that is shown: scans that end from one moment on, and before another.
struct ReplayWindow {
  var from: MomentOption?
  var to: MomentOption?

  /// Refuses a part that ends before it begins.
  func validate() throws {
    let isBackwards =
      switch (from, to) {
      case (.after(let from, _), .after(let to, _)): from >= to
      case (.at(let from, _), .at(let to, _)): from >= to
      default: false
      }
    if isBackwards, let from, let to { throw ValidationError("--from \(from) --to \(to): it ends before it begins.") }
  }

  func isReached(at time: Duration, _ utc: UTCTime?) throws(Failure) -> Bool { try from?.isReached(at: time, utc) ?? true }

  func isPassed(at time: Duration, _ utc: UTCTime?) throws(Failure) -> Bool { try to?.isReached(at: time, utc) ?? false }
}

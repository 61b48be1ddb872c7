public import WiFi

/// Where facts come from that take time: who makes an access point, and how busy the channels are.
public protocol SlowFactSource: AnyObject {
  /// Who registered the first bytes of each address; an unregistered address is left out.
  ///
  /// - Throws: ``SlowFactProblem``, also where the task was cancelled first.
  func makers(of addresses: [MACAddress]) async throws(SlowFactProblem) -> [MACAddress: String]

  /// How busy each channel was, as far as the driver counts.
  ///
  /// - Throws: ``SlowFactProblem``, also where the task was cancelled first.
  func survey() async throws(SlowFactProblem) -> [Survey]

  /// What the driver counts of the association to the access point that is joined; `nil` where none is, or nothing
  /// counts.
  func station() async throws(SlowFactProblem) -> Station?
}

extension SlowFactSource {
  public func station() async throws(SlowFactProblem) -> Station? { nil }
}

/// Why a fact is not available.
public struct SlowFactProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// A sentence that says what helps.
  public var description: String

  /// A problem in a sentence.
  public init(_ sentence: String) { description = sentence }
}

/// A fact that takes time.
public enum SlowFact<Value: Hashable & Sendable>: Hashable, Sendable {
  /// It was not requested.
  case unasked
  /// It was asked for, and is on its way.
  case loading
  /// It is known.
  case known(Value)
  /// It is not available; the sentence says why, and what helps.
  case unavailable(String)

  /// The value, where it is known.
  public var value: Value? { if case .known(let value) = self { value } else { nil } }
}

/// How busy a channel is.
public struct ChannelLoad: Hashable, Sendable {
  /// The centre of the channel in kHz.
  public var frequencyKHz: Int
  /// The part of the time that something was sent on it, in percent.
  public var busyPercent: Int?
  /// Noise in dBm.
  public var noiseDBm: Int?
  /// Whether the adapter is on this channel.
  public var isInUse = false
}

extension ChannelLoad {
  /// What a survey says, since an earlier one where its counters went on: drivers count from when they were loaded, or
  /// again each time.
  init(_ survey: Survey, since before: Survey?) {
    self.init(frequencyKHz: Int(survey.frequencyKHz), noiseDBm: survey.noiseDBm.map { Int($0) }, isInUse: survey.isInUse)
    guard let time = survey.timeMs, let busy = survey.busyMs, time > 0 else { return }
    if let earlier = before?.timeMs, let earlierBusy = before?.busyMs, time > earlier, busy >= earlierBusy {
      busyPercent = Self.percent(busy - earlierBusy, of: time - earlier)
    } else {
      busyPercent = Self.percent(busy, of: time)
    }
  }

  private static func percent(_ part: UInt64, of whole: UInt64) -> Int { Int(min(Double(part) / Double(whole), 1) * 100 + 0.5) }
}

extension ChannelLoad: CustomStringConvertible {
  /// Such as `busy 12 %, noise -92 dBm`; empty where nothing is known.
  public var description: String {
    [busyPercent.map { "busy \($0) %" }, noiseDBm.map { "noise \($0) dBm" }].compactMap(\.self).joined(separator: ", ")
  }
}

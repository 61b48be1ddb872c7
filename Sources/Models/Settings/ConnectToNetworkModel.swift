public import Observation
public import WiFi

/// The sheet that asks for the password of a network and joins it.
///
/// A plain class that belongs to its creator; its asynchronous method runs in the caller's isolation.
@Observable
public final class ConnectToNetworkModel {
  /// Why a network could not be joined, other than by a wrong password.
  public enum Failure: Hashable, Sendable {
    /// The access point did not answer in time.
    case timedOut
    /// The network was not there any more.
    case outOfRange
    /// The access point refused, with a status code (IEEE 802.11-2020 9.4.1.9).
    case rejected(status: UInt16)
  }

  /// The network, as it was seen last.
  public internal(set) var network: Network
  /// Whether the network is not there any more; the sheet stays anyway.
  public internal(set) var networkIsLost: Bool
  /// What is typed.
  public var password: String
  /// Whether an attempt to join runs.
  public private(set) var isConnecting: Bool
  /// Whether an alert says that the password was wrong.
  public var incorrectPasswordAlertIsPresented: Bool
  /// Why the last attempt failed.
  public var failure: Failure?

  @ObservationIgnored private let joiner: any NetworkJoiner
  @ObservationIgnored private let onJoined: (ConnectToNetworkModel) -> Void
  @ObservationIgnored private let onCancelled: (ConnectToNetworkModel) -> Void
  @ObservationIgnored private var attempts = AttemptCounter()

  /// Makes the sheet in any state.
  ///
  /// - Parameters:
  ///   - onJoined: called when the network is joined.
  ///   - onCancelled: called when the sheet is to close without.
  public init(
    network: Network, networkIsLost: Bool = false, password: String = "", isConnecting: Bool = false,
    incorrectPasswordAlertIsPresented: Bool = false, failure: Failure? = nil, joiner: any NetworkJoiner,
    onJoined: @escaping (ConnectToNetworkModel) -> Void, onCancelled: @escaping (ConnectToNetworkModel) -> Void
  ) {
    self.network = network
    self.networkIsLost = networkIsLost
    self.password = password
    self.isConnecting = isConnecting
    self.incorrectPasswordAlertIsPresented = incorrectPasswordAlertIsPresented
    self.failure = failure
    self.joiner = joiner
    self.onJoined = onJoined
    self.onCancelled = onCancelled
  }

  /// Begins to join with the password as it is now; `nil` where an attempt runs already.
  ///
  /// When this returns, ``isConnecting`` is true and the password is taken, whatever is typed next. The view runs the
  /// attempt in a task, which it cancels with the sheet:
  ///
  /// ```swift
  /// if let attempt = sheet.joinButtonTapped() { task = Task { await attempt.run() } }
  /// ```
  public func joinButtonTapped() -> JoinAttempt? {
    guard !isConnecting else { return nil }
    let number = attempts.begin()
    isConnecting = true
    failure = nil
    incorrectPasswordAlertIsPresented = false
    return JoinAttempt(sheet: self, number: number, password: network.isSecured ? password : nil)
  }

  fileprivate func run(_ begun: JoinAttempt) async {
    guard attempts.mayRun(begun.number) else { return }
    let error: JoinError?
    do {
      try await joiner.join(network, password: begun.password)
      error = nil
    } catch let thrown {
      error = thrown
    }
    guard attempts.current == begun.number else { return }
    isConnecting = false
    guard !Task.isCancelled else { return }
    switch error {
    case nil: onJoined(self)
    case .wrongPassword: incorrectPasswordAlertIsPresented = true
    case .timedOut: failure = .timedOut
    case .outOfRange: failure = .outOfRange
    case .rejected(let status): failure = .rejected(status: status)
    case .cancelled: break
    }
  }

  /// Gives up the attempt that runs; where none runs, closes the sheet.
  public func cancelButtonTapped() {
    if isConnecting { endAttempt() } else { onCancelled(self) }
  }

  /// Ends with the sheet, however it was closed: no result counts any more.
  public func dismissed() { endAttempt() }

  private func endAttempt() {
    attempts.end()
    isConnecting = false
  }
}

/// An attempt to join that began with a tap, to be run once.
public struct JoinAttempt {
  fileprivate let sheet: ConnectToNetworkModel
  fileprivate let number: Int
  fileprivate let password: String?

  /// Joins, in the caller's isolation, and returns when the attempt has ended.
  ///
  /// Does nothing where the sheet was closed, or the attempt given up, before. What arrives after the task was
  /// cancelled changes nothing but ``ConnectToNetworkModel/isConnecting``, and nothing at all after
  /// ``ConnectToNetworkModel/cancelButtonTapped()`` or ``ConnectToNetworkModel/dismissed()``. A second run does
  /// nothing.
  public func run() async { await sheet.run(self) }
}

extension ConnectToNetworkModel.Failure {
  /// What happened, and what to do.
  package var sentence: String {
    switch self {
    case .timedOut: "The access point did not answer in time. Move closer, or try again."
    case .outOfRange: "The network is out of range. Move closer, then try again."
    case .rejected(let status): "The access point refused with status \(status). Try again later, or ask who runs it."
    }
  }
}

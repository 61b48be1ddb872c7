public import Observation
public import WiFi

/// The sheet that asks for the password of a network and joins it.
///
/// A plain class that belongs to whoever made it; its asynchronous method runs in the caller's isolation.
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
  /// Whether the network is not there any more; the sheet stays all the same.
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
  /// The number of the attempt whose result counts.
  @ObservationIgnored private var attempt = 0

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

  /// Joins the network with the password as it is now.
  ///
  /// ``isConnecting`` is true, and the password is taken, before the first suspension: a view that starts the task with
  /// `Task.immediate` has both at the tap, one that uses `Task` when its turn comes. While an attempt runs another tap does nothing. The view cancels the task with
  /// the sheet; what arrives after a cancellation changes nothing but
  /// ``isConnecting``, and nothing at all after ``cancelButtonTapped()`` or ``dismissed()``.
  public func joinButtonTapped() async {
    guard !isConnecting else { return }
    attempt += 1
    let mine = attempt
    isConnecting = true
    failure = nil
    incorrectPasswordAlertIsPresented = false
    let error: JoinError?
    do {
      try await joiner.join(network, password: network.isSecured ? password : nil)
      error = nil
    } catch let thrown {
      error = thrown
    }
    guard attempt == mine else { return }
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
    attempt += 1
    isConnecting = false
  }
}

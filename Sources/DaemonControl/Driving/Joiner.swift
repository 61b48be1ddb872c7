public import DaemonProtocols
public import WiFi

/// Joins networks over any ``/DaemonProtocols/ControlLink``.
///
/// One joiner drives one link and does one thing at a time. It is not bound to any actor: its methods run where their
/// caller runs, and wait without blocking.
///
/// ```swift
/// let joiner = Joiner(link: LiveControlLink())
/// let request = JoinRequest(interface: "wlan0", network: network, password: Secret(typed))
/// let outcome = await joiner.join(request, over: .supplicant)
/// ```
public final class Joiner {
  private let link: any ControlLink
  private var wasCancelled = false
  private var isCancelled: Bool { wasCancelled || Task.isCancelled }

  /// Talks over `link`.
  public init(link: any ControlLink) { self.link = link }

  /// Joins a network and waits for the outcome; every wait has a deadline.
  ///
  /// Where the task is cancelled, the attempt is undone as far as the daemon answers, and the reason is
  /// ``JoinFailure/Reason/cancelled``.
  ///
  /// - Parameter onProgress: called with how far the join has come.
  public func join(
    _ request: JoinRequest, over daemon: JoinDaemon, onProgress: (JoinProgress) -> Void = { _ in }
  ) async -> JoinOutcome {
    let outcome = await run(daemon.session(request), onProgress: onProgress)
    return request.password.map { outcome.masking($0) } ?? outcome
  }

  /// Ends what runs, as cancelling its task would; nothing else can be done with the joiner then.
  func cancel() {
    wasCancelled = true
    link.endWait()
  }

  /// A daemon that is named, or the one that owns an interface, or why none could be asked.
  package func owner(of interface: String, named daemon: JoinDaemon?) async -> Result<JoinDaemon, JoinFailure> {
    if let daemon { return .success(daemon) }
    return await owner(of: interface)
  }

  /// Finds out which daemon owns an interface.
  ///
  /// - Returns: the daemon, or why none could be asked.
  public func owner(of interface: String) async -> Result<JoinDaemon, JoinFailure> {
    await run(OwnerSession(interface: interface))
  }

  /// Reads or moves the switch of the radio, as far as a daemon has one.
  ///
  /// - Returns: how it stands afterwards, or why it could not be read or moved.
  public func radio(_ request: RadioRequest, over daemon: JoinDaemon, interface: String) async -> Result<RadioState, JoinFailure> {
    await run(RadioSession(request, over: daemon, interface: interface))
  }

  /// Lists or changes the networks that a daemon knows; every wait has a deadline.
  ///
  /// Where the task is cancelled before the daemon was asked to change anything, or while it can be undone, nothing
  /// changes.
  public func known(_ request: KnownNetworkRequest, over daemon: JoinDaemon, interface: String) async -> KnownNetworksOutcome {
    await run(daemon.session(request, interface: interface))
  }

  /// Watches the link of an interface until the task is cancelled or the daemon can report nothing more.
  ///
  /// - Parameters:
  ///   - onListening: called once the daemon has agreed to report.
  ///   - onEvent: called with what happens; first the network that is joined already, where one is.
  /// - Returns: why it ended.
  public func link(
    of interface: String, over daemon: JoinDaemon, onListening: () -> Void = {}, onEvent: (AssociationEvent) -> Void
  ) async -> JoinFailure {
    await watch(daemon.associationSession(interface: interface), onListening, onEvent)
  }

  private func watch<Session: AssociationSession>(
    _ session: Session, _ onListening: () -> Void, _ onEvent: (AssociationEvent) -> Void
  ) async -> JoinFailure {
    var isListening = false
    return await drive(
      session,
      onStep: { session in
        if !isListening, session.isListening {
          isListening = true
          onListening()
        }
      }, onEvent: onEvent)
  }

  /// Drives a session to its end.
  public func run<Session: ControlSession>(
    _ session: Session, onProgress: (JoinProgress) -> Void = { _ in }, onEvent: (AssociationEvent) -> Void = { _ in }
  ) async -> Session.Output {
    await drive(session, onProgress: onProgress, onEvent: onEvent)
  }

  private func drive<Session: ControlSession>(
    _ session: Session, onStep: (Session) -> Void = { _ in }, onProgress: (JoinProgress) -> Void = { _ in },
    onEvent: (AssociationEvent) -> Void = { _ in }
  ) async -> Session.Output {
    var session = session
    var inputs: [JoinInput] = [.start]
    var next = 0
    var isEnding = false
    var opened: [ControlChannel] = []
    // The deadline that had passed when an input was taken.
    var overdue: Duration?
    defer { for channel in opened { link.close(channel) } }
    while true {
      var deadline = link.bootTime
      while next < inputs.count {
        let actions = session.handle(inputs[next], at: link.bootTime)
        next += 1
        onStep(session)
        for action in actions {
          switch action {
          case .open(let channel):
            do throws(LinkError) {
              try link.open(channel)
              opened.append(channel)
              inputs.append(.opened(channel))
            } catch {
              inputs.append(.refused(channel, error))
            }
          case .send(let payload, let channel):
            do throws(LinkError) { try link.send(payload, on: channel) } catch {
              link.close(channel)
              inputs.append(.refused(channel, error))
            }
          case .close(let channel): link.close(channel)
          case .progress(let progress): onProgress(progress)
          case .report(let event): onEvent(event)
          case .wait(let until): deadline = until
          case .finish(let outcome): return outcome
          }
        }
      }
      inputs.removeAll()
      next = 0
      // Whatever else a daemon says without end, it has not answered in time.
      if overdue == deadline {
        overdue = nil
        inputs.append(.timedOut)
        continue
      }
      do throws(LinkError) {
        let input = try await link.receive(until: deadline, isFinal: isEnding)
        overdue = input != nil && link.bootTime >= deadline ? deadline : nil
        switch input {
        case .received(let channel, let bytes)?: inputs.append(.received(channel, bytes))
        case .closed(let channel)?: inputs.append(.closed(channel))
        case nil:
          if isEnding, link.bootTime < deadline { inputs.append(.abandoned) } else if !isCancelled { inputs.append(.timedOut) }
        }
      } catch {
        inputs.append(.abandoned)
      }
      if !isEnding, isCancelled {
        isEnding = true
        inputs.append(.cancelled)
      } else if inputs.isEmpty {
        inputs.append(.timedOut)
      }
    }
  }
}

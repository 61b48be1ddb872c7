import WiFi

@testable import Scanner

/// A link whose socket reads one list at a time, as that of a kernel does (`__netlink_dump_start`).
///
/// The first datagram of a list is there at once, and one more whenever one is received. Another list is refused until
/// the end of the one before was made.
final class OneListLink: Link {
  private(set) var bootTime = Duration.seconds(100)
  /// How many lists were refused.
  private(set) var refusals = 0
  /// Whether a list has not come to its end.
  var isListing: Bool { !list.isEmpty }

  private let answers: RecordedLink
  private var cancelledCommand: UInt8?
  private var isToCancel = false
  private var inbox: [[UInt8]] = []
  /// What of a list is still to be made.
  private var list: [[UInt8]] = []

  /// Answers as another link does.
  ///
  /// - Parameter command: a command within whose list the task that reads it is cancelled, once.
  init(_ answers: RecordedLink, cancelling command: UInt8) {
    self.answers = answers
    cancelledCommand = command
  }

  func join(group: UInt32) throws(LinkError) {}

  func send(_ message: [UInt8]) throws(LinkError) {
    guard let request = NetlinkMessage.messages(in: message).messages.first,
      let generic = try? GenericNetlinkMessage(payload: request.payload)
    else { throw LinkError(operation: "read a request", number: KernelError.Number.invalid) }
    func reply(_ message: NetlinkMessage) -> [UInt8] {
      var message = message
      message.sequence = request.sequence
      return message.encoded
    }
    let isList = request.flags & NetlinkMessage.Flag.dump == NetlinkMessage.Flag.dump
    if isList, isListing {
      refusals += 1
      return inbox.append(reply(RecordedKernel.refusal(KernelError.Number.busy)))
    }
    let replies = answers.answers(to: .init(message: request, generic: generic)).flatMap { answer -> [[UInt8]] in
      guard case .replies(let messages) = answer.content else { return [] }
      return messages.map(reply)
    }
    guard isList else { return inbox += replies }
    isToCancel = generic.command == cancelledCommand
    list = replies
    makeMore()
  }

  func receive(until deadline: Duration) async throws(LinkError) -> LinkInput? {
    if isToCancel {
      (isToCancel, cancelledCommand) = (false, nil)
      unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
    }
    guard !Task.isCancelled, !inbox.isEmpty else {
      bootTime = max(bootTime, deadline)
      return nil
    }
    let next = inbox.removeFirst()
    makeMore()
    return .reply(next)
  }

  private func makeMore() {
    if !list.isEmpty { inbox.append(list.removeFirst()) }
  }
}

import WireProperties

/// The recorded conversations, which are read once.
private let sessions: SessionProperties = {
  do {
    return try SessionProperties(SessionProperties.recorded())
  } catch {
    fatalError("\(error)")
  }
}()

/// What libFuzzer calls first: what is read here counts for no input.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutablePointer<CInt>?, _ arguments: UnsafeMutableRawPointer?) -> CInt {
  _ = sessions.conversations.count
  return 0
}

/// What libFuzzer calls.
///
/// The first byte says what the rest is taken for; an input that says nothing is not kept.
///
/// A property that does not hold stops the program with what is wrong, which libFuzzer reports as a crash.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  do {
    let isKept =
      try WireProperties.check(input) || FileProperties.check(input) || sessions.check(input) || ProgramProperties.check(input)
    return isKept ? 0 : -1
  } catch {
    fatalError("\(error)")
  }
}

/// Runs `render` now, and again after what it read has changed.
///
/// - Once for any number of changes in one turn of its isolation, with the new values.
/// - Only for fields that it read in its last run. The `@Observable` macro is silent where an equal value is assigned
///   (`=`, a key path or a ``Binding``) to an `Equatable` field; a field that is changed in place (`+=`, `append`), or
///   that is not `Equatable` (an optional object), counts as changed.
///   ``observe(isolation:fileID:line:_:perform:)-(_,_,_,_,(Value)->Void)`` compares the values instead.
/// - In the isolation of the caller, by a task that is enqueued on its executor when the first change is made. What is
///   observed changes there, too: a change from elsewhere stops the program.
/// - Several closures in the order in which they were registered.
/// - Inside the run of another it runs for the first time when that run ends, so that the outer one does not take what
///   the inner one reads for its own.
///
/// A field that the closure reads and then changes itself is not seen to change, because it is watched from the end of
/// the run only: what has effects belongs into
/// ``observe(isolation:fileID:line:_:perform:)-(_,_,_,_,(Value)->Void)``. Other closures see it.
/// A closure that is run again without end stops the program after 100 rounds, with its place.
///
/// - Precondition: an isolation is known: in the code of an actor or of a global actor, or anywhere in a run of
///   `observe`. Without one the end of a turn is unknown, and the program stops. A synchronous function that belongs to
///   no actor does not know its isolation, nor does a closure that captures nothing of its actor: give an
///   ``ObservationTurn``.
/// - Returns: what keeps it alive: the closure is released with it, or with ``ObservationToken/cancel()``.
public func observe(
  isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID, line: UInt = #line,
  _ render: @escaping () -> Void
) -> ObservationToken {
  start(.render { _ in render() }, in: .of(isolation, fileID, line), fileID, line)
}

/// Runs `render` now, and again after what it read has changed, and passes it the transaction of that change.
///
/// As ``observe(isolation:fileID:line:_:)-(_,_,_,()->Void)``. The transaction is that of the first change of the turn
/// that concerns the closure; it is empty in the first run, and where there was none.
public func observe(
  isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID, line: UInt = #line,
  _ render: @escaping (Transaction) -> Void
) -> ObservationToken {
  start(.render(render), in: .of(isolation, fileID, line), fileID, line)
}

/// Performs something with a value now, and again whenever the value is another one.
///
/// `value` is observed, `perform` is not: what it reads is not tracked, and what it changes is seen, even where that is
/// the value itself. An equal value is not performed, whatever was assigned.
public func observe<Value: Equatable>(
  isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID, line: UInt = #line,
  _ value: @escaping () -> Value, perform: @escaping (Value) -> Void
) -> ObservationToken {
  start(.effect(of: value) { value, _ in perform(value) }, in: .of(isolation, fileID, line), fileID, line)
}

/// Performs something with a value and the transaction that changed it.
///
/// As ``observe(isolation:fileID:line:_:perform:)``, with the transaction of the first change of the turn.
public func observe<Value: Equatable>(
  isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID, line: UInt = #line,
  _ value: @escaping () -> Value, perform: @escaping (Value, Transaction) -> Void
) -> ObservationToken {
  start(.effect(of: value, perform: perform), in: .of(isolation, fileID, line), fileID, line)
}

/// Runs `render` now, and again at the end of each turn in which something that it read has changed.
///
/// For code that has no isolation. As ``observe(isolation:fileID:line:_:)-(_,_,_,()->Void)`` in everything else.
public func observe(
  in turn: ObservationTurn, fileID: StaticString = #fileID, line: UInt = #line, _ render: @escaping () -> Void
) -> ObservationToken {
  start(.render { _ in render() }, in: turn.queue, fileID, line)
}

/// Runs `render` now, and again at the end of each turn that changed something, and passes it the transaction.
public func observe(
  in turn: ObservationTurn, fileID: StaticString = #fileID, line: UInt = #line,
  _ render: @escaping (Transaction) -> Void
) -> ObservationToken {
  start(.render(render), in: turn.queue, fileID, line)
}

/// Performs something with a value now, and at the end of each turn after which the value is another one.
public func observe<Value: Equatable>(
  in turn: ObservationTurn, fileID: StaticString = #fileID, line: UInt = #line, _ value: @escaping () -> Value,
  perform: @escaping (Value) -> Void
) -> ObservationToken {
  start(.effect(of: value) { value, _ in perform(value) }, in: turn.queue, fileID, line)
}

/// Performs something with a value and a transaction, now and at the end of each turn that changed the value.
public func observe<Value: Equatable>(
  in turn: ObservationTurn, fileID: StaticString = #fileID, line: UInt = #line, _ value: @escaping () -> Value,
  perform: @escaping (Value, Transaction) -> Void
) -> ObservationToken {
  start(.effect(of: value, perform: perform), in: turn.queue, fileID, line)
}

func start(_ work: ObserverWork, in queue: TurnQueue, _ fileID: StaticString, _ line: UInt) -> ObservationToken {
  let observer = Observer(work, in: queue, place: "\(fileID):\(line)")
  queue.start(observer)
  return ObservationToken(observer)
}

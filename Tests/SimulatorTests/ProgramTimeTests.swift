import Simulator
import Testing
import WiFi

@Suite struct ProgramTimeTests {
  @Test func `a timer and an alarm whose next time is beyond the last that there is are over after the first`() {
    let clock = ProgramClock()
    let server = ProgramServer(kernel: SimulatedKernel(air: StillAir([]), clock: clock), takesTurns: false)
    func send(_ number: UInt32, _ request: ProgramCall.Request, _ connection: Int) {
      server.receive(ProgramCall(number: number, request: request).encoded, from: connection)
    }
    server.connect(1, process: 11)
    server.connect(2, process: 11)
    send(1, .hello(process: 11, thread: 11), 1)
    send(2, .timerOpen, 2)
    let time = server.kernel.bootTime.wholeNanoseconds + 1
    // The first number that the server gives.
    send(3, .timerSet(timer: 1, time: time, interval: .max), 1)
    send(4, .alarm(after: 1, interval: .max), 1)
    #expect(server.nextEvent == .nanoseconds(time))
    _ = server.takeActions()
    clock.advance(to: .seconds(1))
    server.advance()
    let expiration = ProgramDatagram(bytes: [1, 0, 0, 0, 0, 0, 0, 0]).encoded
    #expect(server.takeActions() == [.deliver(expiration, connection: 2, isEvent: false), .signal(14, process: 11)])
    #expect(server.nextEvent == nil)
  }
}

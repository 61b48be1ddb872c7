import Determinism
import Models
import Testing
import WiFi

/// What the settings make of a radio that takes time to switch, and of one that cannot be.
@Suite struct RadioSwitchTests {
  /// A radio that takes a second.
  private final class Radio: RadioSwitch {
    private let clock: VirtualClock
    var isOn = true
    var refusal: RadioError?
    private(set) var calls: [Bool] = []

    init(clock: VirtualClock) { self.clock = clock }

    func setRadio(on isOn: Bool) async throws(RadioError) {
      calls.append(isOn)
      try? await clock.sleep(for: .seconds(1))
      if let refusal { throw refusal }
      self.isOn = isOn
    }
  }

  private func settings(_ radio: Radio?) -> WiFiSettingsModel {
    WiFiSettingsModel(source: ListSource(), joiner: QuickJoiner(), radio: radio, onIssue: { Issue.record("\($0)") })
  }

  @Test func `the radio goes where the switch goes, and who wants to scan waits for it`() async throws {
    try await simulate(seed: 1) { simulation in
      let radio = Radio(clock: simulation.clock)
      let model = settings(radio)
      model.wifiToggled(to: false)
      simulation.task("moves") { await model.moveRadio() }
      await simulation.advance(by: .seconds(2))
      #expect(!radio.isOn)
      model.wifiToggled(to: true)
      simulation.task("moves") { await model.moveRadio() }
      var isReady = false
      simulation.task("waits") {
        await model.radioAtRest()
        isReady = true
      }
      await simulation.advance(by: .milliseconds(900))
      #expect(!isReady)
      await simulation.advance(by: .milliseconds(200))
      #expect(isReady && radio.isOn)
      #expect(model.radioProblem == nil)
    }
  }

  @Test(arguments: [RadioError.notPermitted, .blockedByHardware, .noSwitch, .refused("Why not.")])
  func `a radio that cannot be switched takes the switch back, with the reason`(error: RadioError) async throws {
    try await simulate(seed: 1) { simulation in
      let radio = Radio(clock: simulation.clock)
      radio.refusal = error
      let model = settings(radio)
      model.wifiToggled(to: false)
      simulation.task("moves") { await model.moveRadio() }
      await simulation.advance(by: .seconds(2))
      #expect(model.isOn)
      #expect(model.radioProblem == error)
      radio.refusal = nil
      model.wifiToggled(to: false)
      #expect(model.radioProblem == nil)
      simulation.task("moves") { await model.moveRadio() }
      await simulation.advance(by: .seconds(2))
      #expect(!model.isOn && !radio.isOn)
    }
  }

  @Test func `the last of several wishes is done, one at a time`() async throws {
    try await simulate(seed: 1) { simulation in
      let radio = Radio(clock: simulation.clock)
      let model = settings(radio)
      for isOn in [false, true, false, true, false] {
        model.wifiToggled(to: isOn)
        simulation.task("moves") { await model.moveRadio() }
        await simulation.advance(by: .milliseconds(100))
      }
      await simulation.advance(by: .seconds(10))
      #expect(!radio.isOn && !model.isOn)
      #expect(radio.calls == [false])
    }
  }

  @Test func `what others do to the radio moves the switch, but not while the user's wish is on its way`() async throws {
    try await simulate(seed: 1) { simulation in
      let radio = Radio(clock: simulation.clock)
      let model = settings(radio)
      model.radioMoved(to: false)
      #expect(!model.isOn)
      model.wifiToggled(to: true)
      model.radioMoved(to: false)
      #expect(model.isOn)
      simulation.task("moves") { await model.moveRadio() }
      await simulation.advance(by: .seconds(2))
      #expect(model.isOn && radio.isOn)
    }
  }

  @Test(arguments: [true, false])
  func `a view moves the radio again where the user moves the switch in the turn in which the radio did`(isOn: Bool) async throws {
    try await simulate(seed: 1) { simulation in
      let radio = Radio(clock: simulation.clock)
      let model = settings(radio)
      if isOn { model.radioMoved(to: false) }
      radio.refusal = .notPermitted
      model.wifiToggled(to: isOn)
      let position = model.switchPosition
      simulation.task("moves") { await model.moveRadio() }
      await simulation.advance(by: .seconds(2))
      #expect(model.isOn != isOn)
      model.wifiToggled(to: isOn)
      #expect(model.switchPosition.isOn == isOn && model.switchPosition != position)
    }
  }

  @Test func `without a radio to move nobody waits`() async {
    let model = settings(nil)
    model.wifiToggled(to: false)
    await model.moveRadio()
    await model.radioAtRest()
    #expect(!model.isOn)
  }
}

import Models
import Observing
import Simulator
import Testing
import ViewStage
import WiFi

@testable import Page

/// The known networks on the page.
@Suite struct PageKnownTests {
  static let drafts = [("Blob House", JoinSecurity.sae, 3), ("<b>Cabin</b>", .psk, 0), ("Old Printer", .open, -1)].compactMap {
    name, security, priority in
    SSID(typed: name).map {
      KnownNetworkDraft(
        ssid: $0, security: security, password: security.needsPassword ? Secret("blob blob") : nil, priority: priority)
    }
  }

  private func makeStage() async -> PageStage {
    let stage = PageStage(known: Self.drafts)
    stage.hear(SampleAir.home)
    stage.act(.known)
    await stage.viewer.settings.destination?.known?.load()
    stage.turn.end()
    return stage
  }

  private func list(_ stage: PageStage) -> PageKnownList? {
    if case .known(let list)? = stage.state.layers.last?.content { list } else { nil }
  }

  private func form(_ stage: PageStage) -> PageKnownForm? {
    if case .knownForm(let form)? = stage.state.layers.last?.content { form } else { nil }
  }

  private func run(_ stage: PageStage) async {
    await stage.attempts.last?.run()
    stage.turn.end()
  }

  @Test func `the list tells of each network what there is`() async throws {
    let stage = await makeStage()
    let listed = list(stage)
    let list = try #require(listed)
    #expect(list.rows.map(\.name) == ["Blob House", "Old Printer", "<b>Cabin</b>"])
    #expect(list.rows.map(\.isInRange) == [true, true, false])
    #expect(list.rows[0].dBm == -48 && list.rows[0].priority == 3 && list.rows[2].bars == nil)
    #expect(list.rows.map(\.isWeak) == [false, true, false])
    #expect(list.can == ["add", "duplicate", "forget"] && !list.isLoading)
  }

  @Test func `a form is filled in, field by field, and saved`() async throws {
    let stage = await makeStage()
    let id = try #require(stage.known.networks.first?.id)
    stage.top(.edit(id))
    stage.top(.field(.priority(-7)))
    stage.top(.field(.autoconnect(false)))
    stage.top(.field(.hidden(true)))
    stage.top(.field(.security(.psk)))
    // No network with a password becomes one without.
    stage.top(.field(.security(.open)))
    stage.top(.field(.name("Other")))
    stage.top(.password("new password"))
    let shown = form(stage)
    let form = try #require(shown)
    #expect(form.fields == ["autoconnect", "priority", "security", "hidden", "password"])
    #expect(form.passwordCount == 12 && form.priority == -7 && form.security == .psk && form.canSave)
    #expect(!String(decoding: stage.feed.hello(mayAct: true).data, as: UTF8.self).contains("new password"))
    stage.top(.save)
    #expect(self.form(stage)?.status == "Saving…")
    await run(stage)
    let saved = try #require(stage.known.networks.first)
    #expect(saved.ssid.description == "Blob House" && saved.priority == -7 && saved.security == .psk && saved.isHidden)
    #expect(self.form(stage)?.canSave == false)
    stage.top(.back)
    #expect(list(stage) != nil)
  }

  @Test func `a network is added, copied and forgotten`() async throws {
    let stage = await makeStage()
    stage.top(.add)
    #expect(form(stage)?.isSheet == true)
    stage.top(.save)
    #expect(form(stage)?.isFailure == true && stage.attempts.isEmpty)
    stage.top(.field(.name("Attic")))
    stage.top(.field(.security(.owe)))
    #expect(form(stage)?.fields.contains("password") == false)
    stage.top(.save)
    await run(stage)
    #expect(list(stage)?.rows.count == 4)
    let id = try #require(stage.known.networks.last?.id)
    stage.top(.duplicate(id))
    #expect(form(stage)?.title == "Duplicate “Attic”")
    stage.top(.field(.name("Attic 2")))
    stage.top(.cancel)
    #expect(form(stage)?.isSheet == false)
    stage.top(.back)
    stage.top(.forgetKnown(id))
    guard case .question(let title, _, _)? = stage.state.layers.last?.content else {
      Issue.record("no question")
      return
    }
    #expect(title == "Forget “Attic”?")
    stage.top(.answer(0))
    #expect(stage.attempts.last?.name == "forgets a known network")
    await run(stage)
    #expect(list(stage)?.rows.count == 3)
  }

  @Test func `what is gone already changes nothing`() async throws {
    let stage = await makeStage()
    let id = try #require(stage.known.networks.first?.id)
    stage.known.forget(id.ssid)
    await stage.viewer.settings.destination?.known?.load()
    for action in [PageAction.TopAction.edit(id), .duplicate(id), .forgetKnown(id), .save, .field(.priority(3)), .password("x"), .forget] {
      stage.top(action)
      #expect(list(stage) != nil)
    }
    #expect(stage.attempts.isEmpty)
    stage.act(.top(99, .add))
    #expect(list(stage) != nil)
  }

  @Test func `a link opens its place`() async throws {
    let stage = PageStage(known: Self.drafts)
    stage.act(try #require(PageAction(json: #"{"do":"open","value":"known/Old Printer/edit"}"#.utf8)))
    await stage.viewer.settings.destination?.known?.load()
    stage.turn.end()
    #expect(form(stage)?.title == "Old Printer")
    stage.act(try #require(PageAction(json: #"{"do":"open","value":"known/add"}"#.utf8)))
    #expect(form(stage)?.isSheet == true)
  }

  @Test(arguments: [
    (#"{"do":"known"}"#, PageAction.known), (#"{"do":"open","value":"known"}"#, .open(.known)),
    (#"{"do":"add","over":4}"#, .top(4, .add)), (#"{"do":"save","over":4}"#, .top(4, .save)), (#"{"do":"list","over":4}"#, .top(4, .list)),
    (#"{"do":"duplicate","over":4}"#, .top(4, .duplicate(nil))),
    (#"{"do":"priority","over":4,"value":-999}"#, .top(4, .field(.priority(-999)))),
    (#"{"do":"security","over":4,"value":"sae"}"#, .top(4, .field(.security(.sae)))),
    (#"{"do":"hidden","over":4,"value":true}"#, .top(4, .field(.hidden(true)))),
    (#"{"do":"name","over":4,"value":"é"}"#, .top(4, .field(.name("é")))),
  ])
  func `an action is read`(text: String, action: PageAction) { #expect(PageAction(json: text.utf8) == action) }

  @Test(arguments: [
    #"{"do":"open","value":"detail/x"}"#, #"{"do":"open"}"#, #"{"do":"edit","over":1}"#, #"{"do":"edit","over":1,"known":"k:zz:00"}"#,
    #"{"do":"duplicate","over":1,"known":"n:00:1"}"#, #"{"do":"forgetKnown","over":1}"#, #"{"do":"priority","over":1,"value":1000}"#,
    #"{"do":"priority","over":1,"value":1.5}"#, #"{"do":"security","over":1,"value":"none"}"#,
    #"{"do":"autoconnect","over":1,"value":"on"}"#,
    #"{"do":"save"}"#,
  ])
  func `anything else is none`(text: String) { #expect(PageAction(json: text.utf8) == nil) }

  @Test(arguments: ["", "0", "/net/connman/iwd/x", "5b3c-é"])
  func `a key of a daemon comes back`(key: String) throws {
    let id = KnownNetwork.ID(key: key, ssid: try #require(SSID([0, 0xFF, 0x3A])))
    #expect(PageKnownKey(PageKnownKey(id).text)?.id == id)
    #expect(PageKnownKey("k:3") == nil && PageKnownKey("k:ff:00") == nil && PageKnownKey("k:30:0") == nil)
  }
}

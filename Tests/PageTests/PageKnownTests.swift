import Models
import Observing
import Simulator
import Testing
import ViewFixture
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

  private func makeFixture() async -> PageFixture {
    let fixture = PageFixture(known: Self.drafts, hearing: SampleAir.home)
    fixture.act(.known)
    await fixture.viewer.settings.destination?.known?.load()
    fixture.turn.end()
    return fixture
  }

  private func list(_ fixture: PageFixture) -> PageKnownList? {
    if case .known(let list)? = fixture.state.layers.last?.content { list } else { nil }
  }

  private func form(_ fixture: PageFixture) -> PageKnownForm? {
    if case .knownForm(let form)? = fixture.state.layers.last?.content { form } else { nil }
  }

  private func run(_ fixture: PageFixture) async {
    await fixture.attempts.last?.run()
    fixture.turn.end()
  }

  @Test func `the list tells of each network what there is`() async throws {
    let fixture = await makeFixture()
    let listed = list(fixture)
    let list = try #require(listed)
    #expect(list.rows.map(\.name) == ["Blob House", "Old Printer", "<b>Cabin</b>"])
    #expect(list.rows.map(\.isInRange) == [true, true, false])
    #expect(list.rows[0].dBm == -48 && list.rows[0].priority == 3 && list.rows[2].bars == nil)
    #expect(list.rows.map(\.isWeak) == [false, true, false])
    #expect(list.can == ["add", "duplicate", "forget"] && !list.isLoading)
  }

  @Test func `a form is filled in, field by field, and saved`() async throws {
    let fixture = await makeFixture()
    let id = try #require(fixture.known.networks.first?.id)
    fixture.top(.edit(id))
    fixture.top(.field(.priority(-7)))
    fixture.top(.field(.autoconnect(false)))
    fixture.top(.field(.hidden(true)))
    fixture.top(.field(.security(.psk)))
    // No network with a password becomes one without.
    fixture.top(.field(.security(.open)))
    fixture.top(.field(.name("Other")))
    fixture.top(.password("new password"))
    let shown = form(fixture)
    let form = try #require(shown)
    #expect(form.fields == ["autoconnect", "priority", "security", "hidden", "password"])
    #expect(form.passwordCount == 12 && form.priority == -7 && form.security == .psk && form.canSave)
    #expect(!String(decoding: fixture.feed.hello(mayAct: true).data, as: UTF8.self).contains("new password"))
    fixture.top(.save)
    #expect(self.form(fixture)?.status == "Saving…")
    await run(fixture)
    let saved = try #require(fixture.known.networks.first)
    #expect(saved.ssid.description == "Blob House" && saved.priority == -7 && saved.security == .psk && saved.isHidden)
    #expect(self.form(fixture)?.canSave == false)
    fixture.top(.back)
    #expect(list(fixture) != nil)
  }

  @Test func `a network is added, copied and forgotten`() async throws {
    let fixture = await makeFixture()
    fixture.top(.add)
    #expect(form(fixture)?.isSheet == true)
    fixture.top(.save)
    #expect(form(fixture)?.isFailure == true && fixture.attempts.isEmpty)
    fixture.top(.field(.name("Attic")))
    fixture.top(.field(.security(.owe)))
    #expect(form(fixture)?.fields.contains("password") == false)
    fixture.top(.save)
    await run(fixture)
    #expect(list(fixture)?.rows.count == 4)
    let id = try #require(fixture.known.networks.last?.id)
    fixture.top(.duplicate(id))
    #expect(form(fixture)?.title == "Duplicate “Attic”")
    fixture.top(.field(.name("Attic 2")))
    fixture.top(.cancel)
    #expect(form(fixture)?.isSheet == false)
    fixture.top(.back)
    fixture.top(.forgetKnown(id))
    guard case .question(let title, _, _)? = fixture.state.layers.last?.content else {
      Issue.record("no question")
      return
    }
    #expect(title == "Forget “Attic”?")
    fixture.top(.answer(0))
    #expect(fixture.attempts.last?.name == "forgets a known network")
    await run(fixture)
    #expect(list(fixture)?.rows.count == 3)
  }

  @Test func `what is gone already changes nothing`() async throws {
    let fixture = await makeFixture()
    let id = try #require(fixture.known.networks.first?.id)
    fixture.known.forget(id.ssid)
    await fixture.viewer.settings.destination?.known?.load()
    for action in [PageAction.TopAction.edit(id), .duplicate(id), .forgetKnown(id), .save, .field(.priority(3)), .password("x"), .forget] {
      fixture.top(action)
      #expect(list(fixture) != nil)
    }
    #expect(fixture.attempts.isEmpty)
    fixture.act(.top(99, .add))
    #expect(list(fixture) != nil)
  }

  @Test func `a link opens its place`() async throws {
    let fixture = PageFixture(known: Self.drafts)
    fixture.act(try #require(PageAction(json: #"{"do":"open","value":"known/Old Printer/edit"}"#.utf8)))
    await fixture.viewer.settings.destination?.known?.load()
    fixture.turn.end()
    #expect(form(fixture)?.title == "Old Printer")
    fixture.act(try #require(PageAction(json: #"{"do":"open","value":"known/add"}"#.utf8)))
    #expect(form(fixture)?.isSheet == true)
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

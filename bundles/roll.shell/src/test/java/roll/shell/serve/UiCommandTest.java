package roll.shell.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.api.option.UserException;
import roll.runtime.page.LivePage;
import roll.runtime.page.PageEndpoint;
import roll.runtime.page.PageSettings;
import roll.shell.Gogo;
import roll.shell.http.ComponentKeepAlive;
import roll.shell.page.OpenPages;

/** {@code ui} with a server that remembers what it was ordered. */
@Timeout(60)
class UiCommandTest {
  private static final int TAKEN = 7070;
  private static final int FREE = 40_000;

  private final List<PageSettings> orders = new ArrayList<>();
  private final List<Integer> closed = new ArrayList<>();
  private final OpenPages pages = new OpenPages(ComponentKeepAlive.NONE);
  private final UiCommand command = new UiCommand(pages, null);
  private boolean taken;

  private final LivePage server =
      order -> {
        if (taken && order.place().port() == TAKEN) {
          throw new UserException("port: cannot listen on 127.0.0.1:7070: taken");
        }
        orders.add(order);
        int port = order.place().port() == 0 ? FREE : order.place().port();
        return new PageEndpoint() {
          @Override
          public URI address() {
            String key = order.place().key();
            return URI.create(
                "http://127.0.0.1:" + port + "/" + (key == null ? "" : "#token=" + key));
          }

          @Override
          public void close() {
            closed.add(port);
          }
        };
      };

  private String run(String... arguments) {
    try (Gogo gogo = new Gogo(command, "ui")) {
      String shown = gogo.call(command, arguments);
      return gogo.printed() + (shown == null ? "" : shown);
    }
  }

  private String complaint(String... arguments) {
    return assertThrows(UserException.class, () -> run(arguments)).getMessage();
  }

  @Test
  void aDistributionWithoutItSaysSo() {
    assertEquals(
        "ui: this distribution lacks the bundle roll.ui, which the command needs", complaint());
  }

  @Test
  void inTheShellItReturnsAndIsListedAndClosed() {
    pages.bindServer(server);
    assertEquals("http://127.0.0.1:7070/", run());
    assertEquals("http://127.0.0.1:7070/", run(), "where it is, not another one");
    assertEquals("http://127.0.0.1:81/", run("--port", "81"));
    assertEquals("http://127.0.0.1:81/\nhttp://127.0.0.1:7070/", run());
    assertEquals("closed http://127.0.0.1:81/", run("--stop", "81"));
    assertEquals("ui: no page is open on port 81", complaint("--stop", "81"));
    pages.close();
    assertEquals(List.of(81, 7070), closed);
  }

  @Test
  void thePortIsFixedWhereItIsFree() {
    pages.bindServer(server);
    taken = true;
    assertEquals("http://127.0.0.1:40000/", run());
    assertEquals("port: cannot listen on 127.0.0.1:7070: taken", complaint("--port", "7070"));
    assertEquals(1, orders.size());
  }

  @Test
  void everyOptionIsHeard() {
    pages.bindServer(server);
    String said =
        run(
            ("--host 127.0.0.2 --port 82 --allowed-hosts a.b,c --token 0123456789abcdef"
                    + " --tls-cert c.pem --tls-key k.pem --read-only --allow-deploy --runs a,b"
                    + " --runs c")
                .split(" ", -1));
    assertEquals("http://127.0.0.1:82/#token=0123456789abcdef", said);
    assertEquals("http://127.0.0.1:82/", run(), "the token is shown once");
    PageSettings order = orders.getFirst();
    assertEquals("127.0.0.2:82", order.place().toString());
    assertEquals(List.of("a.b", "c"), order.place().names());
    assertEquals(Path.of("k.pem"), Objects.requireNonNull(order.place().certificate()).key());
    assertTrue(order.readOnly() && order.deploys());
    assertEquals(
        List.of("a", "b", "c"),
        order.folders().stream().map(path -> path.getFileName().toString()).toList());
  }

  @Test
  void beyondLoopbackATokenIsMadeWhereThereIsACertificate() {
    pages.bindServer(server);
    run("--host", "0.0.0.0", "--tls-cert", "c.pem", "--tls-key", "k.pem");
    assertTrue(Objects.requireNonNull(orders.getFirst().place().key()).length() >= 32);
    run("--host", "0.0.0.0", "--port", "83");
    assertNull(orders.getLast().place().key(), "so that the server refuses");
    assertTrue(
        complaint("--tls-cert", "c.pem")
            .startsWith("ui: --tls-cert and --tls-key must be given together"));
    assertTrue(complaint("--port", "70000").startsWith("ui: --port: expected an integer"));
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    assertEquals("ui: --runs: " + java + " is not a folder", complaint("--runs", java));
  }

  /** The bundle is stopped and started: the same address, the same token. */
  @Test
  void aPageComesBackWithItsServer() {
    pages.bindServer(server);
    run();
    pages.unbindServer(server);
    assertEquals(List.of(7070), closed);
    assertEquals("http://127.0.0.1:7070/ (waiting for the bundle roll.ui)", run());
    pages.bindServer(server);
    assertEquals("http://127.0.0.1:7070/", run());
    assertEquals(2, orders.size());
    assertEquals(orders.getFirst().secret(), orders.getLast().secret());
    assertEquals(7070, orders.getLast().place().port());
    pages.unbindServer(server);
    taken = true;
    pages.bindServer(server);
    assertEquals("http://127.0.0.1:7070/ (port: cannot listen on 127.0.0.1:7070: taken)", run());
    run("--stop", "7070");
    assertNotEquals("", complaint("--stop", "7070"));
  }

  @Test
  void asTheOneCommandOfAProcessItEndsWithCtrlC() {
    pages.bindServer(server);
    try (Gogo gogo = new Gogo(command, "ui")) {
      gogo.session().put("roll.once", true);
      Thread.currentThread().interrupt(); // found by the wait for the end
      gogo.call(command);
      assertEquals(130, gogo.session().get("exit"));
      assertEquals("http://127.0.0.1:7070/; Ctrl-C ends", gogo.printed().strip());
    }
    assertEquals(List.of(7070), closed);
  }
}

package roll.cluster.nodes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;
import roll.cluster.pekko.PekkoEngine;
import roll.runtime.nodes.FirstNode;
import roll.runtime.nodes.JoinRequest;
import roll.runtime.nodes.ListenRequest;
import roll.runtime.nodes.NodeStatus;

@Tag("processes")
@Timeout(60)
class JoiningTest {
  private final ClusterNodes here = new ClusterNodes(new PekkoEngine(), "0.2.0");
  private final ClusterNodes there = new ClusterNodes(new PekkoEngine(), "0.2.0");
  private final BlockingQueue<String> said = new LinkedBlockingQueue<>();

  @TempDir Path folder;

  @Test
  void aNodeJoinsWithThePrintedLine() throws Exception {
    FirstNode first = here.listen(order(false), said::add);
    Thread worker;
    BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    try (first) {
      worker = Thread.startVirtualThread(() -> join(first.joinLine(), lines::add));
      first.await(2);
      assertEquals("waiting for 1 more node: type the line above on another machine", next(said));
      assertTrue(next(said).startsWith("node worker (127.0.0.1:"));
      String joined = next(lines);
      assertTrue(joined.startsWith("joined the run frozen_lake as worker"), joined);
      assertTrue(
          joined.endsWith(
              "epoch 1; offers 2 cores and devices 0, 1; plays environment; Ctrl-C leaves"),
          joined);
      List<NodeStatus> nodes = here.nodes();
      assertEquals(List.of("first", "worker"), nodes.stream().map(NodeStatus::name).toList());
      assertEquals(List.of("first", "joined"), nodes.stream().map(NodeStatus::state).toList());
      assertEquals(List.of("0", "1"), nodes.get(1).devices());
      assertEquals(List.of("environment"), nodes.get(1).roles());
      assertTrue(nodes.get(1).lagMillis() >= 0);
      assertEquals("this", there.nodes().get(1).state());
    }
    worker.join();
    String end = next(lines);
    assertTrue(end.equals("the run frozen_lake is over"), end);
    assertEquals(List.of(), here.nodes());
    assertEquals("2\n".length(), Files.size(folder.resolve("cluster/epoch")));
  }

  @Test
  void nodesAreListedForOtherProcesses() throws Exception {
    for (boolean plain : List.of(false, true)) {
      String at;
      String token;
      try (FirstNode first = here.listen(order(plain), said::add)) {
        at = word(first.joinLine(), 2);
        token = word(first.joinLine(), 4);
        List<NodeStatus> own = here.nodes();
        for (List<NodeStatus> seen : List.of(there.nodes(folder), there.nodes(at, token))) {
          assertEquals(
              own.stream().map(NodeStatus::address).toList(),
              seen.stream().map(NodeStatus::address).toList());
          assertEquals(List.of("first"), seen.stream().map(NodeStatus::state).toList());
        }
      }
      assertThrows(UserException.class, () -> there.nodes(at, token));
      assertEquals(
          "no run that writes into " + folder + " listens for nodes",
          assertThrows(UserException.class, () -> there.nodes(folder)).getMessage());
    }
    try (FirstNode first = here.listen(order(false), said::add)) {
      JoinToken right = JoinToken.parse("--token", word(first.joinLine(), 4));
      String wrong = new JoinToken(right.fingerprint(), new byte[16]).toString();
      assertTrue(
          String.valueOf(
                  assertThrows(
                          UserException.class, () -> there.nodes(word(first.joinLine(), 2), wrong))
                      .getMessage())
              .endsWith("the token is not of this run, or of an earlier start of it"));
    }
  }

  @Test
  void anInterruptedNodeLeavesInOrder() throws Exception {
    try (FirstNode first = here.listen(order(true), said::add)) {
      assertTrue(first.joinLine().contains("--token p1."));
      BlockingQueue<String> lines = new LinkedBlockingQueue<>();
      Thread worker = Thread.ofVirtual().start(() -> join(first.joinLine(), lines::add));
      next(lines);
      worker.interrupt();
      worker.join();
      assertTrue(next(said).endsWith(" joined"));
      assertTrue(next(said).endsWith(" has left"));
    }
  }

  @Test
  void refusalsAreOneLine() throws Exception {
    String earlier;
    try (FirstNode first = here.listen(order(false), said::add)) {
      earlier = first.joinLine();
    }
    try (FirstNode first = here.listen(order(false), said::add)) {
      String line = first.joinLine();
      String at = word(line, 2);
      String token = word(line, 4);
      assertEquals(
          at + " refuses this node: the token is not of this run, or of an earlier start of it",
          refused(at, word(earlier, 4), there));
      assertTrue(refused(at, "r1.abc", there).contains("copy the whole line"));
      String port = refused("localhost:99999", token, there);
      assertEquals(
          "join: expected host or host:port, found 'localhost:99999' (allowed ports: 1 to 65535)",
          port);
      ClusterNodes older = new ClusterNodes(new PekkoEngine(), "0.1.0");
      assertEquals(
          at + " refuses this node: the run is of roll 0.2.0, and this node is of roll 0.1.0",
          refused(at, token, older));
      String stranger =
          new JoinToken(new byte[32], JoinToken.parse("token", token).secret()).toString();
      assertEquals(
          "the server at " + at + " does not belong to the run of the token",
          refused(at, stranger, there));
      String taken =
          assertThrows(
                  UserException.class,
                  () ->
                      there.listen(
                          new ListenRequest("other", folder.resolve("other"), at, false),
                          said::add))
              .getMessage();
      assertEquals("--listen: cannot listen on " + at + ": Address already in use", taken);
      assertThrows(
          UserException.class,
          () -> here.listen(new ListenRequest("x", folder, "0.0.0.0", false), said::add));
      assertEquals(List.of("first"), here.nodes().stream().map(NodeStatus::name).toList());
      assertTrue(said.isEmpty(), said::toString);
    }
  }

  @Test
  void ofConcurrentNodesWithOneNameOneJoins() throws Exception {
    for (boolean plain : List.of(false, true)) {
      said.clear();
      try (FirstNode first = here.listen(order(plain), said::add)) {
        BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
          ClusterNodes node = new ClusterNodes(new PekkoEngine(), "0.2.0");
          workers.add(Thread.startVirtualThread(() -> join(node, first.joinLine(), lines::add)));
        }
        List<String> ends = List.of(next(lines), next(lines), next(lines));
        assertEquals(
            1, ends.stream().filter(end -> end.startsWith("joined")).count(), ends::toString);
        assertEquals(
            2,
            ends.stream().filter(end -> end.contains(" refuses this node: ")).count(),
            ends::toString);
        assertEquals(
            List.of("first", "worker"), here.nodes().stream().map(NodeStatus::name).toList());
        for (Thread worker : workers) {
          worker.interrupt();
          worker.join();
        }
        for (String line = next(said); !line.endsWith(" has left"); line = next(said)) {
          assertFalse(line.equals("null"), "the first node does not report that the node has left");
        }
        Thread again = Thread.startVirtualThread(() -> join(first.joinLine(), lines::add));
        assertTrue(next(lines).startsWith("joined")); // the name is free when its node has left
        again.interrupt();
        again.join();
      }
    }
  }

  @Test
  void requestsOfStrangersAreRejected() throws Exception {
    try (FirstNode first = here.listen(order(false), said::add)) {
      String line = first.joinLine();
      int port = Integer.parseInt(word(line, 2).substring("127.0.0.1:".length()));
      List<Integer> answers = new ArrayList<>(Strangers.knock(port, 200));
      assertFalse(answers.contains(200), answers::toString);
      assertTrue(answers.stream().noneMatch(status -> status >= 500), answers::toString);
      assertTrue(answers.stream().filter(status -> status >= 400).count() > 50, answers::toString);
      BlockingQueue<String> lines = new LinkedBlockingQueue<>();
      Thread worker = Thread.startVirtualThread(() -> join(line, lines::add));
      assertTrue(next(lines).startsWith("joined"));
      worker.interrupt();
      worker.join();
    }
  }

  @Test
  void aTokenCanBeCreatedBeforehand() throws Exception {
    String token = here.prepare(folder);
    assertFalse(Files.exists(folder.resolve("cluster/epoch")));
    ListenRequest order = new ListenRequest("frozen_lake", folder, "127.0.0.1:0", false, token);
    for (int start = 0; start < 2; start++) {
      try (FirstNode first = here.listen(order, said::add)) {
        assertEquals(token, word(first.joinLine(), 4));
        BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        Thread worker = Thread.startVirtualThread(() -> join(first.joinLine(), lines::add));
        assertTrue(next(lines).startsWith("joined"));
        worker.interrupt();
        worker.join();
      }
    }
    Path other = folder.resolve("other");
    assertEquals(
        "ROLL_TOKEN: is not of the authority in "
            + other.resolve("cluster")
            + "; `roll token "
            + other
            + "` prints one that is",
        refusal(new ListenRequest("x", other, "127.0.0.1:0", false, token)));
    assertEquals(
        "ROLL_TOKEN: a token for TLS does not go with --plain",
        refusal(new ListenRequest("x", folder, "127.0.0.1:0", true, token)));
    assertEquals(
        "ROLL_TOKEN is not a token (r1. and 64 characters), but has 3 characters; copy the whole"
            + " line that the first node prints",
        refusal(new ListenRequest("x", folder, "127.0.0.1:0", false, "abc")));
  }

  private String refusal(ListenRequest order) {
    return assertThrows(UserException.class, () -> here.listen(order, said::add)).getMessage();
  }

  private ListenRequest order(boolean plain) {
    return new ListenRequest("frozen_lake", folder, "127.0.0.1:0", plain);
  }

  private void join(String line, java.util.function.Consumer<String> say) {
    join(there, line, say);
  }

  private static void join(
      ClusterNodes node, String line, java.util.function.Consumer<String> say) {
    try {
      node.join(order(word(line, 2), word(line, 4)), say);
    } catch (UserException e) {
      say.accept(e.getMessage());
    } catch (InterruptedException e) {
      // by the test
    }
  }

  private static String word(String line, int number) {
    return List.of(line.split(" ", -1)).get(number);
  }

  private static JoinRequest order(String at, String token) {
    return new JoinRequest(at, token, "worker", null, 2, List.of("0", "1"), List.of("environment"));
  }

  private static String refused(String at, String token, ClusterNodes node) {
    return assertThrows(UserException.class, () -> node.join(order(at, token), _ -> {}))
        .getMessage();
  }

  private static String next(BlockingQueue<String> lines) throws InterruptedException {
    return String.valueOf(lines.poll(30, TimeUnit.SECONDS));
  }
}

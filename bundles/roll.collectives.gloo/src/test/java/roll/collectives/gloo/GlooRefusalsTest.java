package roll.collectives.gloo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import roll.parallel.collective.LocalProcess;
import roll.parallel.collective.RankFailure;
import roll.parallel.collective.RankGroup;
import roll.parallel.collective.RankLocation;
import roll.parallel.collective.Rendezvous;

/** Invalid groups are refused in one line, before native code could end the JVM. */
class GlooRefusalsTest {
  private static final LocalProcess SITE = new LocalProcess("a", Rendezvous.local());

  private static RankGroup group(String address, int card) {
    return new RankGroup(
        "test",
        2,
        List.of(
            new RankLocation("a", address, card),
            new RankLocation("b", "127.0.0.1", RankLocation.CPU)),
        Duration.ofMillis(300));
  }

  private static String refusal(GlooCollectives collectives, RankGroup group) {
    return userError(() -> collectives.open(group, SITE));
  }

  @Test
  void clearTextIsLimitedToLoopbackUnlessAllowed() {
    assertEquals(
        "group 'test' of epoch 2: CPU of a listens on 192.0.2.7, and Gloo sends clear text: only"
            + " loopback addresses are allowed, unless strategy_config has plain_collectives: true,"
            + " or the framework property roll.collectives.gloo.clear_text is 'allowed'",
        refusal(
            new GlooCollectives(() -> Gloo.VERSION, false), group("192.0.2.7", RankLocation.CPU)));
    // allowed, but not an address of this machine
    String said =
        refusal(
            new GlooCollectives(() -> Gloo.VERSION, true), group("192.0.2.7", RankLocation.CPU));
    assertTrue(
        said.startsWith("group 'test' of epoch 2: CPU of a cannot listen on '192.0.2.7': "), said);
  }

  @Test
  void gpusAreRefused() {
    assertEquals(
        "group 'test' of epoch 2: Gloo is for ranks on the CPU, not for one on CUDA device 0 of a",
        refusal(new GlooCollectives(() -> Gloo.VERSION, false), group("127.0.0.1", 0)));
  }

  @Test
  void anotherLibtorchIsRefused() {
    assertEquals(
        "collectives 'gloo' are made for libtorch 2.7.1 on Linux, not for 2.8.0 on "
            + System.getProperty("os.name"),
        refusal(new GlooCollectives(() -> "2.8.0", false), group("127.0.0.1", RankLocation.CPU)));
  }

  /** Without the other process, the group fails at the timeout, and no JVM ends. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void aMissingRankFailsTheGroupAtTheTimeout() {
    assertEquals(
        "group 'test' of epoch 2: 1 of 2 ranks came within 0 s",
        assertThrows(
                RankFailure.class,
                () ->
                    GlooContractTest.collectives().open(group("127.0.0.1", RankLocation.CPU), SITE))
            .getMessage());
  }

  /** A {@code sockaddr_in} after other bytes: family 2, port 0x1234, 10.1.2.3. */
  @Test
  void portsAreFoundInAddresses() throws Exception {
    byte[] address = {9, 2, 0, 2, 0, 0x12, 0x34, 10, 1, 2, 3, 0};
    byte[] host = InetAddress.getByName("10.1.2.3").getAddress();
    assertEquals(OptionalInt.of(0x1234), LostRankFinder.port(address, host));
    assertEquals(
        OptionalInt.empty(),
        LostRankFinder.port(address, InetAddress.getByName("10.1.2.4").getAddress()));
  }
}

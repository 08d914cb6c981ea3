package roll.torch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import ai.djl.pytorch.jni.JniUtils;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The shares of a machine of eight cores. */
final class DevicesTest {
  private final Device cpu = Device.cpu(8);
  @AutoClose private final Devices devices = Devices.on(cpu);

  @Test
  void noneAndAllAreTheWholeMachine() {
    assertSame(cpu, devices.whole());
    assertSame(cpu, devices.of(List.of(), 0));
    assertSame(cpu, devices.of(List.of(), 4));
    assertSame(cpu, devices.of(List.of(0, 1, 2, 3), 4));
    assertSame(cpu, devices.of(List.of(1, 0), 2));
    assertSame(cpu, devices.of(List.of(0), 1));
    assertSame(cpu, devices.of(List.of(0, 1, 2, 3, 4, 5, 6, 7), 0));
  }

  @Test
  void theSameNumbersAreTheSameDevice() {
    Device first = devices.of(List.of(0, 2), 4);
    assertSame(first, devices.of(List.of(2, 0), 4));
    assertNotSame(first, devices.of(List.of(0, 1), 4));
    assertNotSame(first, devices.of(List.of(0, 2), 8));
    List<Device> ranks = devices.ranks(List.of(0, 2), 4);
    assertEquals(2, ranks.size());
    assertSame(ranks.getFirst(), devices.of(List.of(0), 4));
    assertSame(ranks.getLast(), devices.ranks(List.of(3, 2), 4).getLast());
    assertEquals(List.of(), devices.ranks(List.of(), 4));
  }

  @Test
  void coresAreSharedOut() {
    assertEquals(2, threads(devices.of(List.of(3), 4)));
    assertEquals(6, threads(devices.of(List.of(1, 2, 3), 4)));
    assertEquals(1, threads(devices.of(List.of(5), 0)));
    assertEquals(1, threads(devices.of(List.of(15), 16)));
    assertEquals(2, threads(devices.of(List.of(0, 1), 3).share(1, 2)));
    assertEquals(8, threads(devices.of(List.of(), 16)));
    assertEquals(0.75, devices.share(List.of(1, 2, 3), 4));
    assertEquals(0.125, devices.share(List.of(1), 0));
    assertEquals(1, devices.share(List.of(), 4));
    assertEquals(HostMemory.bytes() / 4, devices.memory(1, 4));
    assertEquals(HostMemory.bytes() / 8, devices.memory(1, 0));
  }

  /** Two cards that nothing computes on here; only who is who is asked. */
  @Test
  void cardsComeBeforeSharesOfTheCores() {
    Device first = Device.gpu(() -> null, 0, 8);
    Device second = Device.gpu(() -> null, 1, 8);
    Devices mixed =
        Devices.on(
            cpu, List.of(new Devices.Card(first, 80L << 30), new Devices.Card(second, 24L << 30)));
    assertSame(first, mixed.of(List.of(0), 0));
    assertSame(second, mixed.of(List.of(1), 2));
    assertEquals(List.of(second, first), mixed.ranks(List.of(1, 0), 2));
    assertSame(cpu, mixed.of(List.of(), 2));
    assertSame(cpu, mixed.of(List.of(2), 3));
    assertEquals(1, threads(mixed.of(List.of(9), 0)));
    assertEquals(4, threads(mixed.of(List.of(2), 4)));
    assertEquals(24L << 30, mixed.memory(1, 4));
    assertEquals(HostMemory.bytes() / 2, mixed.memory(2, 4));
    assertTrue(mixed.accelerated(List.of(0, 1)));
    assertFalse(mixed.accelerated(List.of(1, 2)));
    assertFalse(mixed.accelerated(List.of()));
    assertEquals("cuda:1", second.name());
    assertEquals(
        "there is no device 10 (device_mapping, --device): this machine is divided into 10, the"
            + " first 2 of them cards, from 0 on; num_gpus_per_node says into how many",
        userError(() -> mixed.of(List.of(10), 0)));
    assertEquals(
        "there is no device 1 (device_mapping, --device): this machine is divided into 1, the first"
            + " of them a card, from 0 on; num_gpus_per_node says into how many",
        userError(() -> mixed.of(List.of(1), 1)));
    assertEquals(
        "device_mapping: [0, 1]: a session on a card computes on one device; deepspeed (ZeRO) and"
            + " megatron strategies on several",
        userError(() -> mixed.of(List.of(0, 1), 0)));
    first.close();
    second.close();
  }

  /** More than there are would only wait for one another. */
  @Test
  void coresAreAskedForAsOpenMpDoes() {
    assertEquals(8, Devices.threads(null, 8));
    assertEquals(8, Devices.threads("", 8));
    assertEquals(1, Devices.threads("1", 8));
    assertEquals(3, Devices.threads(" 3,1 ", 8));
    assertEquals(8, Devices.threads("64", 8));
    assertEquals(8, Devices.threads("0", 8));
    assertEquals(8, Devices.threads("many", 8));
  }

  private static int threads(Device device) {
    return device.call(JniUtils::getNumThreads);
  }

  @Test
  void devicesComputeAtTheSameTime() throws Exception {
    List<Device> ranks = devices.ranks(List.of(0, 1), 2);
    CompletableFuture<Integer> other = new CompletableFuture<>();
    CompletableFuture<Integer> first =
        ranks.getFirst().submit(() -> other.get(1, TimeUnit.MINUTES));
    assertTrue(ranks.getLast().call(() -> other.complete(7)));
    assertEquals(7, first.get(1, TimeUnit.MINUTES));
  }

  @Test
  void whatIsNotThereIsRefused() {
    String none =
        "there is no device 2 (device_mapping, --device): this machine is divided into 2, from 0"
            + " on; num_gpus_per_node says into how many";
    assertEquals(none, refusal(List.of(0, 2), 2));
    assertEquals(
        none.replace("into 2", "into 8").replace("device 2", "device 8"), refusal(List.of(8), 0));
    assertEquals(none.replace("device 2", "device -1"), refusal(List.of(-1), 2));
  }

  private String refusal(List<Integer> numbers, int count) {
    String refusal = userError(() -> devices.ranks(numbers, count));
    assertEquals(refusal, userError(() -> devices.of(numbers, count)));
    return refusal;
  }
}

package roll.torch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import ai.djl.engine.EngineException;
import ai.djl.pytorch.jni.JniUtils;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import roll.api.option.UserException;

/** The compute thread of a device. */
final class DeviceTest {
  @Test
  void workRunsInOrderOnOnePlatformThread() {
    try (Device device = Device.cpu(1)) {
      List<CompletableFuture<Thread>> threads =
          IntStream.range(0, 5).mapToObj(i -> device.submit(Thread::currentThread)).toList();
      Thread first = threads.getFirst().join();
      assertFalse(first.isVirtual());
      threads.forEach(thread -> assertSame(first, thread.join()));
    }
  }

  @Test
  void failuresPassThrough() {
    try (Device device = Device.cpu(1)) {
      CompletableFuture<Object> failed =
          device.submit(
              () -> {
                throw new UserException("wrong");
              });
      CompletionException failure = assertThrows(CompletionException.class, failed::join);
      assertTrue(failure.getCause() instanceof UserException);
      assertThrows(
          UserException.class,
          () ->
              device.call(
                  () -> {
                    throw new UserException("wrong");
                  }));
      assertEquals(3, device.call(() -> 3));
    }
  }

  @Test
  void tensorsBelongToTheComputeThread() {
    try (Device device = Device.cpu(1)) {
      assertThrows(IllegalStateException.class, device::newManager);
      assertEquals(0, device.call(() -> 0));
      assertThrows(IllegalStateException.class, device::newManager);
      device.call(
          () -> {
            device.newManager().close();
            return null;
          });
    }
  }

  @Test
  void workOfTheComputeThreadItselfRunsAtOnce() {
    try (Device device = Device.cpu(1)) {
      assertTrue(device.call(() -> device.submit(() -> true).isDone()));
    }
  }

  @Test
  void partsComputeWhileTheWholeWaits() {
    try (Device device = Device.cpu(4)) {
      List<Device> parts = device.split(3);
      try {
        List<Thread> threads =
            device.call(
                () -> parts.stream().map(part -> part.call(Thread::currentThread)).toList());
        assertEquals(3, threads.stream().distinct().count());
        assertFalse(threads.contains(device.call(Thread::currentThread)));
        assertEquals(1, parts.getFirst().call(JniUtils::getNumThreads));
        assertEquals(4, device.call(JniUtils::getNumThreads));
      } finally {
        parts.forEach(Device::close);
      }
    }
  }

  @Test
  void aMachineWithoutLibraryIsToldInOneLine() {
    Throwable cause = new UnsatisfiedLinkError("libc10.so: no such file\nand more");
    try (Device device =
        new Device(
            () -> {
              throw new EngineException("Failed to load PyTorch native library", cause);
            },
            1)) {
      String refusal = userError(() -> device.call(() -> 1));
      String platform =
          System.getProperty("os.name").toLowerCase(Locale.ROOT)
              + "-"
              + System.getProperty("os.arch");
      assertEquals(
          "no PyTorch library can be loaded for " + platform + ": libc10.so: no such file",
          refusal);
    }
  }
}

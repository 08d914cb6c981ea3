package roll.collectives.nccl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import roll.collectives.testkit.RankFloats;
import roll.collectives.testkit.RankThreads;
import roll.parallel.collective.Communicator;
import roll.parallel.collective.LocalProcess;
import roll.parallel.collective.RankFailure;
import roll.parallel.collective.RankGroup;
import roll.parallel.collective.RankLocation;

/** Failures are one line, and end all waiting. */
@Tag("processes")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(60)
class NcclFailuresTest {
  private static final Duration SOON = Duration.ofMillis(200);

  private final RankThreads threads = new RankThreads();
  private FakeGpus gpus;

  @BeforeAll
  void compile(@TempDir Path folder) throws Exception {
    gpus = FakeGpus.compile(folder);
  }

  @AfterEach
  void reset() {
    gpus.stuck(false);
    gpus.failing(-1);
  }

  private static RankGroup group(int... devices) {
    List<RankLocation> members =
        IntStream.of(devices).mapToObj(card -> new RankLocation("", "", card)).toList();
    return new RankGroup("test", 0, members, SOON);
  }

  private static void assertRefused(String line, Executable work) {
    assertEquals(line, userError(work));
  }

  @Test
  void joiningHasATimeout() {
    gpus.stuck(true);
    RankFailure failure =
        assertThrows(
            RankFailure.class, () -> gpus.collectives().open(group(0, 1), LocalProcess.alone()));
    assertTrue(
        failure
            .getMessage()
            .matches(
                "group 'test', rank [01]: joining 2 ranks \\(ncclInProgress\\) took longer than"
                    + " 0.2 s"),
        failure.getMessage());
    assertEquals(0, gpus.allocated());
  }

  /** A network error that NCCL reports for rank 1 also releases rank 0, with the same message. */
  @Test
  void anAsynchronousErrorEndsTheGroup() {
    List<Communicator> group = gpus.collectives().open(group(0, 1), LocalProcess.alone());
    gpus.failing(1);
    List<CompletableFuture<Boolean>> answers = threads.start(group, NcclFailuresTest::sum);
    String message =
        "group 'test', rank 1: all-reduce: NCCL says: remote process exited or there was a network"
            + " error (Connection closed by remote peer)";
    for (CompletableFuture<Boolean> answer : answers) {
      Throwable failure = assertThrows(CompletionException.class, answer::join).getCause();
      assertEquals(message, assertInstanceOf(RankFailure.class, failure).getMessage());
    }
    gpus.failing(-1);
    group.forEach(Communicator::reset);
    assertEquals(List.of(true, true), threads.all(group, NcclFailuresTest::sum));
    group.forEach(Communicator::close);
    assertEquals(0, gpus.allocated());
  }

  private static boolean sum(Communicator rank) {
    try (Arena arena = Arena.ofShared()) {
      var memory = RankFloats.floats(arena, 1, 2);
      rank.allReduce(memory);
      return RankFloats.of(memory)[1] == 4;
    }
  }

  @Test
  void operationsHaveATimeout() {
    List<Communicator> group = gpus.collectives().open(group(0, 1), LocalProcess.alone());
    CompletableFuture<Boolean> answer =
        threads.start(group.subList(0, 1), NcclFailuresTest::sum).getFirst();
    Throwable failure = assertThrows(CompletionException.class, answer::join).getCause();
    assertEquals(
        "group 'test', rank 0: all-reduce took longer than 0.2 s",
        assertInstanceOf(RankFailure.class, failure).getMessage());
    group.forEach(Communicator::close);
    assertEquals(0, gpus.allocated());
  }

  /** Closing does not wait for a receiver. */
  @Test
  void anUnreceivedMessageIsDropped() {
    List<Communicator> group = gpus.collectives().open(group(0, 1), LocalProcess.alone());
    try (Arena arena = Arena.ofShared()) {
      group.getFirst().send(RankFloats.floats(arena, 1), 1);
    }
    group.forEach(Communicator::close);
    assertEquals(0, gpus.allocated());
  }

  @Test
  void invalidGroupsAreRefused() {
    NcclCollectives collectives = gpus.collectives();
    assertRefused(
        "group 'test': ranks 0 and 2 are both on CUDA device 1, but NCCL needs a GPU for each",
        () -> collectives.open(group(1, 0, 1), LocalProcess.alone()));
    assertRefused(
        "group 'test': NCCL is for ranks on GPUs, not for one on the CPU",
        () -> collectives.open(group(0, -1), LocalProcess.alone()));
    assertRefused(
        "CUDA device 9: invalid device ordinal",
        () -> collectives.open(group(9), LocalProcess.alone()));
    assertRefused(
        "CUDA device 8: invalid device ordinal",
        () -> collectives.open(group(0, 8), LocalProcess.alone()));
  }

  @Test
  void missingLibrariesAreNamed() {
    assertRefused(
        "ranks on cards need a CUDA driver, but this machine has none (libno-such-driver.so.1)",
        () ->
            new NcclCollectives(List.of(gpus.path()), "libno-such-driver.so.1")
                .open(group(0), LocalProcess.alone()));
    String looked = "/no/such/torch/libnccl.so.2, libno-such-nccl.so.2";
    assertRefused(
        "NCCL, which ranks on several GPUs need, is not installed; looked for "
            + looked
            + "; it is part of PyTorch for CUDA (PYTORCH_LIBRARY_PATH: its torch/lib), or the"
            + " system package libnccl2",
        () ->
            new NcclCollectives(List.of(looked.split(", ")), gpus.path())
                .open(group(0, 1), LocalProcess.alone()));
  }

  @Test
  void otherVersionsAreRefused(@TempDir Path folder) throws Exception {
    FakeGpus old = FakeGpus.compile(folder, "-DVERSION=2803");
    assertRefused(
        "NCCL (" + old.path() + ") is version 2.8.3; 2.14 or newer is needed",
        () -> old.collectives().open(group(0, 1), LocalProcess.alone()));
    FakeGpus less = FakeGpus.compile(folder, "-DNO_SEND");
    assertRefused(
        "NCCL (" + less.path() + ") has no function ncclSend: another version is needed",
        () -> less.collectives().open(group(0, 1), LocalProcess.alone()));
  }

  /** The NCCL of the configured libtorch precedes that of the system. */
  @Test
  void theNcclOfTheChosenTorchComesFirst() {
    assertEquals(
        List.of(
            "/env/site-packages/torch/lib/libnccl.so.2",
            "/env/site-packages/nvidia/nccl/lib/libnccl.so.2",
            "/env/site-packages/torch/lib/libtorch_cuda.so",
            "libnccl.so.2",
            "libtorch_cuda.so"),
        NcclLibraryFinder.candidates(
            Map.of("PYTORCH_LIBRARY_PATH", "/env/site-packages/torch/lib/")));
    assertEquals(
        List.of("libnccl.so.2", "libtorch_cuda.so"), NcclLibraryFinder.candidates(Map.of()));
  }
}

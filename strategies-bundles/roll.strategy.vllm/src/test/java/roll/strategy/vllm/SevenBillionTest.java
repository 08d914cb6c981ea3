package roll.strategy.vllm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.config.WorkerConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.memory.SessionActivity;
import roll.api.memory.SessionMemory;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Sampling;
import roll.api.strategy.SessionConfig;

/**
 * A random model of Qwen2.5-7B's shape, in bf16 from mapped shards: it decodes and scores in the
 * memory that was planned, and what it draws is what it scores as far as bf16 allows.
 */
@Tag("slow")
final class SevenBillionTest {
  private static final long GIB = 1L << 30;

  /** The configured memory, of which the weights take 14.2 GiB. */
  private static final long MOST = 18 * GIB;

  private static final RandomQwen2 MODEL = RandomQwen2.SEVEN_BILLION;

  private static final List<GenerationRequest> REQUESTS =
      IntStream.range(0, 4)
          .mapToObj(
              n ->
                  Tiny.request(
                      IntStream.range(0, 8 + n).map(i -> 1 + 4001 * n + 17 * i).toArray(),
                      Sampling.of(6),
                      n))
          .toList();

  @Test
  @Timeout(1800)
  void isDecodedAndScoredAsPlanned(@TempDir Path folder, TestReporter reporter) throws IOException {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    assumeTrue(
        system.getTotalMemorySize() > 20 * GIB
            && Files.getFileStore(folder).getUsableSpace() > 20 * GIB,
        "no 20 GiB of memory and disk");
    Path peak = Path.of("/proc/self/clear_refs");
    assumeTrue(Files.exists(peak), "this system does not tell what memory a process had at most");
    MODEL.describe(folder);
    try (Tiny tiny = new Tiny(folder, 2)) {
      MODEL.write(folder, tiny.spec());
      double share = MOST / (double) system.getTotalMemorySize();
      Map<String, Object> options =
          Tiny.options("gpu_memory_utilization", share, "max_num_seqs", REQUESTS.size());
      WorkerConfig worker = Tiny.worker(folder, Dtype.BF16, "vllm", options);
      SessionConfig config = new SessionConfig(worker, 1, 1.0, 64);
      long planned =
          tiny.strategy().expected(config, tiny.spec(), SessionActivity.SCORE).stream()
              .mapToLong(SessionMemory::resident)
              .sum();
      Files.writeString(peak, "5"); // the highest memory is counted anew
      Responses responses;
      double[] scored;
      try (VllmSession session = (VllmSession) tiny.strategy().open(config)) {
        responses = new Responses(REQUESTS, session.generate(REQUESTS).join());
        scored = responses.scored(session);
      }
      long most = highest();
      String bytes = "planned " + planned + ", at most " + most;
      assertTrue(most < MOST && Math.abs(most - planned) < planned / 10, bytes);
      double[] exact = responses.exact(tiny.device, tiny.mapped(Dtype.BF16));
      assertEquals(4 * 6, exact.length);
      String errors =
          "drawn %s, scored %s, apart %s"
              .formatted(
                  Responses.distance(responses.drawn(), exact),
                  Responses.distance(scored, exact),
                  Responses.distance(responses.drawn(), scored));
      reporter.publishEntry("found", bytes + "; " + errors);
      assertTrue(Responses.distance(responses.drawn(), exact) < 2 * MODEL.error(), errors);
      assertTrue(Responses.distance(scored, exact) < 2 * MODEL.error(), errors);
      assertTrue(Responses.distance(responses.drawn(), scored) < 3 * MODEL.error(), errors);
    }
  }

  /** Bytes of memory that this process had at most, mapped files counted. */
  private static long highest() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("VmHWM:"))
        .mapToLong(line -> 1024 * Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElseThrow();
  }
}

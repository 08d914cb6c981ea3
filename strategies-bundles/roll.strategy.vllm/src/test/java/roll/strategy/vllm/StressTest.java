package roll.strategy.vllm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.api.data.RandomStreams;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Sampling;

/** Many who ask for anything at any time and often give up, and a pool for about five of them. */
@Timeout(300)
final class StressTest {
  private static final int REQUESTS = 4_000;
  private static final int CLIENTS = 100;
  private static final int BLOCKS = 24;

  private final AtomicInteger answered = new AtomicInteger();
  private final AtomicInteger cancelled = new AtomicInteger();

  @Test
  void everyRequestEndsAndNoBlockIsLost() throws Exception {
    try (Tiny tiny = new Tiny();
        VllmSession session =
            tiny.open(
                "num_gpu_blocks_override", BLOCKS,
                "block_size", 4,
                "max_model_len", 64,
                "max_num_seqs", 16);
        ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> all =
          IntStream.range(0, CLIENTS)
              .<Future<?>>mapToObj(
                  client -> clients.submit(() -> ask(session, client, REQUESTS / CLIENTS)))
              .toList();
      for (Future<?> each : all) {
        each.get();
      }
      // calls that are canceled during a turn are removed in the next one
      int free = 0;
      for (int turn = 0; turn < 100 && free < BLOCKS; turn++) {
        free = tiny.device.call(() -> session.engine().freeBlocks());
      }
      assertEquals(REQUESTS, answered.get() + cancelled.get());
      assertTrue(cancelled.get() > REQUESTS / 20, "few gave up");
      assertTrue(answered.get() > REQUESTS / 2, "few were answered");
      assertEquals(BLOCKS, free);
      assertTrue(session.metrics().get("vllm/num_preemptions_max") > REQUESTS / 20.0);
    }
  }

  private boolean ask(VllmSession session, int client, int requests) throws Exception {
    RandomGenerator random = RandomStreams.of(1, "client", client);
    int left = requests;
    while (left > 0) {
      GenerationRequest request = request(random);
      List<GenerationRequest> list = request.sequences(Math.min(left, 1 + random.nextInt(3)));
      left -= list.size();
      int enough = random.nextInt(3) == 0 ? random.nextInt(20) : Integer.MAX_VALUE;
      await(session, list, enough, random);
    }
    return true;
  }

  /** A prompt that may begin as others do. */
  private static GenerationRequest request(RandomGenerator random) {
    int[] prompt = new int[1 + random.nextInt(20)];
    int shared = random.nextInt(20);
    for (int i = 0; i < prompt.length; i++) {
      prompt[i] = i < shared ? i : random.nextInt(Tiny.VOCABULARY);
    }
    int limit = 1 + random.nextInt(random.nextInt(10) == 0 ? 60 : 12);
    return Tiny.request(prompt, Sampling.of(limit), random.nextLong());
  }

  /** Cancels the call after {@code enough} tokens. */
  private void await(
      VllmSession session, List<GenerationRequest> list, int enough, RandomGenerator random)
      throws Exception {
    AtomicInteger told = new AtomicInteger();
    CompletableFuture<Void> tired = new CompletableFuture<>();
    CompletableFuture<List<Generation>> result =
        session.generate(
            list,
            (i, token) -> {
              if (told.incrementAndGet() == enough) {
                tired.complete(null);
              }
            });
    if (enough == 0) {
      result.cancel(true);
    }
    var unused = tired.thenRunAsync(() -> result.cancel(true));
    try {
      List<Generation> answer = result.get(200, TimeUnit.SECONDS);
      answered.addAndGet(answer.size());
      if (random.nextInt(20) == 0) {
        int[] prompt = list.getFirst().prompt();
        int[] tokens = answer.getFirst().tokens();
        double[] scores = SessionTest.scores(session, prompt, tokens);
        assertArrayEquals(scores, answer.getFirst().logProbs(), 1e-4);
      }
    } catch (CancellationException expected) {
      cancelled.addAndGet(list.size());
    }
  }
}

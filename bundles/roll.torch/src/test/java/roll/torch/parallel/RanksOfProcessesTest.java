package roll.torch.parallel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;
import roll.decoder.DecoderParameters;
import roll.torch.Device;
import roll.torch.collective.Member;
import roll.torch.collective.RankFailure;
import roll.torch.collective.RankGroup;
import roll.torch.collective.RankSite;
import roll.torch.collective.Rendezvous;
import roll.torch.parallel.shard.Offload;
import roll.torch.parallel.shard.ParallelLayout;
import roll.torch.training.HeadLoss;
import roll.torch.training.TrainState.Kind;

/** A model whose ranks are in several processes learns what it learns in one, bit for bit. */
@Timeout(120)
class RanksOfProcessesTest {
  private static final DecoderSpec SPEC = ShardedFixtures.spec(4, EnumSet.of(Trait.TIED_HEAD));

  /** A loss that adds up what it is told, in the order in which it is told. */
  private static final class Adding implements HeadLoss {
    float sum;

    @Override
    public double[][] evaluate(int[] samples, double[][] columns) {
      for (double[] column : columns) {
        for (double number : column) {
          sum = sum * 0.99f + (float) number;
        }
      }
      return ShardedFixtures.loss(samples, columns);
    }
  }

  private static ParallelLayout layout(int data, int pipeline) {
    return new ParallelLayout(
        data,
        pipeline,
        1,
        pipeline > 1 ? 1 : 3,
        false,
        ParallelLayout.Recompute.FULL,
        40,
        true,
        Offload.NOTHING);
  }

  /** Ranks by turns on {@code processes}. */
  private static RankGroup world(int ranks, int processes) {
    List<Member> members =
        IntStream.range(0, ranks)
            .mapToObj(r -> new Member("process-" + r % processes, "", Member.CPU))
            .toList();
    return new RankGroup("test", 1, members, Duration.ofSeconds(60));
  }

  /** What a process has of the model: NaN where it has nothing. */
  private record Learned(List<float[]> weights, float loss) {}

  private static Learned learn(ShardedFixtures.Open open) {
    Adding loss = new Adding();
    double first = open.step(0, loss);
    double second = open.step(1, loss);
    assertTrue(first > 0 && second > 0);
    return new Learned(open.numbers(Kind.WEIGHT, Float.NaN), loss.sum);
  }

  @ParameterizedTest
  @CsvSource({"2, 1, 2", "4, 1, 2", "3, 1, 3", "2, 2, 2"})
  void equalsOneProcess(int data, int pipeline, int processes) {
    ParallelLayout layout = layout(data, pipeline);
    Learned expected;
    try (ShardedFixtures.Open alone = new ShardedFixtures.Open(SPEC, layout)) {
      expected = learn(alone);
    }
    SeveralProcesses collectives = new SeveralProcesses();
    RankGroup world = world(layout.ranks(), processes);
    List<CompletableFuture<Learned>> learning = new ArrayList<>();
    for (int p = 0; p < processes; p++) {
      RankSite site = new RankSite("process-" + p, Rendezvous.local());
      learning.add(
          CompletableFuture.supplyAsync(
              () -> {
                try (ShardedFixtures.Open open =
                    new ShardedFixtures.Open(
                        SPEC, layout, () -> Device.cpu(1), collectives, world, site)) {
                  return learn(open);
                }
              },
              Thread::startVirtualThread));
    }
    List<Learned> learned = learning.stream().map(CompletableFuture::join).toList();
    for (int i = 0; i < expected.weights().size(); i++) {
      float[] whole = expected.weights().get(i);
      float[] found = new float[whole.length];
      Arrays.fill(found, Float.NaN);
      for (Learned part : learned) {
        for (int j = 0; j < whole.length; j++) {
          float number = part.weights().get(i)[j];
          found[j] = Float.isNaN(number) ? found[j] : number;
        }
      }
      assertArrayEquals(whole, found, 0, DecoderParameters.of(SPEC).get(i).name());
    }
    if (pipeline == 1) { // each process asks the loss for all
      learned.forEach(part -> assertEquals(expected.loss(), part.loss(), 0));
    }
  }

  /** Both processes fail, with what the first of them failed of, and say so in one line. */
  @Test
  void aProcessThatFailsReleasesTheOther() {
    ParallelLayout layout = layout(2, 1);
    SeveralProcesses collectives = new SeveralProcesses();
    RankGroup world = world(2, 2);
    List<CompletableFuture<Learned>> learning = new ArrayList<>();
    IllegalStateException broken = new IllegalStateException("broken");
    for (int p = 0; p < 2; p++) {
      RankSite site = new RankSite("process-" + p, Rendezvous.local());
      boolean fails = p == 1;
      learning.add(
          CompletableFuture.supplyAsync(
              () -> {
                try (ShardedFixtures.Open open =
                    new ShardedFixtures.Open(
                        SPEC, layout, () -> Device.cpu(1), collectives, world, site)) {
                  open.step(
                      0,
                      (samples, columns) -> {
                        if (fails) {
                          throw broken;
                        }
                        return ShardedFixtures.loss(samples, columns);
                      });
                  return learn(open);
                }
              },
              Thread::startVirtualThread));
    }
    assertEquals(broken, assertThrows(CompletionException.class, learning.get(1)::join).getCause());
    RankFailure released =
        assertInstanceOf(
            RankFailure.class,
            assertThrows(CompletionException.class, learning.get(0)::join).getCause());
    assertEquals("another rank failed: broken", Objects.requireNonNull(released.getMessage()));
  }
}

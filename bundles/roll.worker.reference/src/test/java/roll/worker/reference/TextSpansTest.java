package roll.worker.reference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import roll.api.data.Batch;
import roll.api.model.Tokenizer;
import roll.runtime.worker.Task;
import roll.runtime.worker.TaskReply;
import roll.testkit.CharacterTokenizer;
import roll.testkit.ExampleRunConfigs;
import roll.testkit.TestWorkerContext;
import roll.testkit.UnigramModel;

class TextSpansTest {
  private static final Tokenizer CHARACTERS = new CharacterTokenizer();

  /** A token for ab, and one for each other character. */
  private static final Tokenizer PAIRS =
      new CharacterTokenizer() {
        private static final int AB = 7;

        @Override
        public int[] encode(String text) {
          List<Integer> tokens = new ArrayList<>();
          for (int i = 0; i < text.length(); i++) {
            boolean pair = text.startsWith("ab", i);
            tokens.add(pair ? AB : (int) text.charAt(i));
            i += pair ? 1 : 0;
          }
          return tokens.stream().mapToInt(t -> t).toArray();
        }

        @Override
        public String decode(int[] tokens, boolean special) {
          StringBuilder text = new StringBuilder();
          for (int token : tokens) {
            text.append(token == AB ? "ab" : Character.toString(token));
          }
          return text.toString();
        }

        @Override
        public Path folder() {
          return Path.of("pairs");
        }
      };

  /** The text xabcab, of which the policy wrote abc and the second a. */
  private static final Batch SAMPLE =
      Batch.of(new int[] {0, 6}, CHARACTERS.encode("xabcab"), new int[] {-1, 0, 0, 0, 1, -1})
          .withColumn(Batch.BEHAVIOR_LOG_PROBS, new double[] {0, -.5, -.7, -.2, -.4, 0});

  /** ab: −1 − (−.5 − .7) = .2, so .1 for each; the second ab is not the policy's alone. */
  @Test
  void theDifferenceOfASpanIsShared() {
    TextSpans spans = new TextSpans(SAMPLE, CHARACTERS, PAIRS, 10);
    assertArrayEquals(new int[] {'x', 7, 'c', 7}, spans.others().tokens());
    assertArrayEquals(new boolean[] {false, true, true, false}, spans.others().scored());
    assertEquals(.75, spans.share());
    assertArrayEquals(
        new double[] {0, -.4, -.6, -.3, -.4, 0},
        spans.logProbs(new double[] {0, -1, -.3, -9}),
        1e-12);
  }

  @Test
  void aTokenGetsTheLogProbsOfItsParts() {
    Batch sample =
        Batch.of(new int[] {0, 3}, PAIRS.encode("xabc"), new int[] {-1, 0, 0})
            .withColumn(Batch.BEHAVIOR_LOG_PROBS, new double[] {0, -2, -.2});
    TextSpans spans = new TextSpans(sample, PAIRS, CHARACTERS, 10);
    assertEquals(1, spans.share());
    assertArrayEquals(
        new double[] {0, -1.5, -.3}, spans.logProbs(new double[] {0, -1, -.5, -.3}), 1e-12);
  }

  /** The tokenizer would write ab with one token. */
  @Test
  void anUnusualSpellingHasNoDifference() {
    Batch sample =
        Batch.of(new int[] {0, 4}, new int[] {'x', 'a', 'b', 'c'}, new int[] {-1, 0, 0, 0})
            .withColumn(Batch.BEHAVIOR_LOG_PROBS, new double[] {0, -9, -1, -.2});
    TextSpans spans = new TextSpans(sample, PAIRS, CHARACTERS, 10);
    assertArrayEquals(
        new double[] {0, -9, -1, -.3}, spans.logProbs(new double[] {0, -1, -.5, -.3}), 1e-12);
  }

  @Test
  void textBeyondTheLengthHasNoSpans() {
    TextSpans spans = new TextSpans(SAMPLE, CHARACTERS, PAIRS, 2);
    assertArrayEquals(new int[] {'x', 7}, spans.others().tokens());
    assertEquals(.5, spans.share());
    assertEquals(-.2, spans.logProbs(new double[] {0, -1})[3]);
  }

  /** All tokens of the model are as likely: log 1/200 for ab, which is shared, and for c. */
  @Test
  void theRoleScoresText() {
    var run = ExampleRunConfigs.small(Path.of("model"), 1);
    var context =
        new TestWorkerContext(run, Objects.requireNonNull(run.roles().reference()))
            .withInference(config -> new UnigramModel(200, 2, 1))
            .withTokenizers(PAIRS, CHARACTERS);
    TaskReply<Batch> reply =
        new ReferenceWorker().open(context).join().perform(new Task.Score(SAMPLE)).join();
    double each = -Math.log(200);
    double[] found = reply.value().column(Batch.REFERENCE_LOG_PROBS);
    assertEquals(each, found[1] + found[2], 1e-9);
    assertEquals(.2, found[1] - found[2], 1e-9);
    assertEquals(each, found[3], 1e-9);
    assertEquals(.75, reply.metrics().get("critic/ref_log_prob/aligned"));
    assertTrue(context.notices().getFirst().contains("an approximation"));
    assertEquals(1, context.notices().size());
  }

  /** All that is learned from is beyond the length. */
  @Test
  void aRoleThatSharesNoTextSaysSoOnce() {
    var run = ExampleRunConfigs.small(Path.of("model"), 1);
    var context =
        new TestWorkerContext(run, Objects.requireNonNull(run.roles().reference()))
            .withInference(config -> new UnigramModel(200, 2, 1))
            .withTokenizers(PAIRS, CHARACTERS);
    int[] tokens = new int[run.sequenceLength() + 3];
    Arrays.fill(tokens, 'x');
    int[] turns = new int[tokens.length];
    Arrays.fill(turns, -1);
    turns[tokens.length - 1] = 0;
    Batch beyond =
        Batch.of(new int[] {0, tokens.length}, tokens, turns)
            .withColumn(Batch.BEHAVIOR_LOG_PROBS, new double[tokens.length]);
    var worker = new ReferenceWorker().open(context).join();
    for (int step = 0; step < 2; step++) {
      TaskReply<Batch> reply = worker.perform(new Task.Score(beyond)).join();
      assertEquals(0, reply.metrics().get("critic/ref_log_prob/aligned"));
    }
    assertEquals(2, context.notices().size());
    assertTrue(context.notices().getLast().contains("nothing is learned"));
  }
}

package roll.cluster.inference.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Scores;
import roll.api.strategy.TokenBatch;
import roll.runtime.scale.MessageBytes;

/** What {@code plan} counts for a token is what one more of them takes. */
class MessageBytesTest {
  private static final int TOKENS = 800;

  private static double each(IntFunction<ByteWriter> message) {
    int more = message.apply(2 * TOKENS).toBytes().length - message.apply(TOKENS).toBytes().length;
    return more / (double) TOKENS;
  }

  @Test
  void aTokenIsAsLargeAsPlanned() {
    GenerationRequest sample = SampleMessages.requests().getFirst();
    assertEquals(
        MessageBytes.PROMPT,
        each(
            n -> {
              ByteWriter out = new ByteWriter();
              GenerationRequest one =
                  new GenerationRequest(
                      new int[n], sample.sampling(), sample.stopTokens(), sample.seed());
              GenerationCodec.write(out, List.of(one));
              return out;
            }));
    assertEquals(
        MessageBytes.RESPONSE,
        each(
            n -> {
              ByteWriter out = new ByteWriter();
              GenerationCodec.write(
                  out, new Generation(new int[n], new double[n], new double[n], true, new long[n]));
              return out;
            }));
    assertEquals(
        MessageBytes.SCORED,
        each(
            n -> {
              ByteWriter out = new ByteWriter();
              ScoreCodec.write(out, new TokenBatch(new int[] {0, n}, new int[n], new boolean[n]));
              return out;
            }));
    assertEquals(
        MessageBytes.SCORES,
        each(
            n -> {
              ByteWriter out = new ByteWriter();
              ScoreCodec.write(out, new Scores(new double[n], new double[n], new double[n]));
              return out;
            }));
  }
}

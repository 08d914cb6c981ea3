package roll.cluster.inference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import roll.api.model.DecoderSpec;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Scores;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.cluster.services.codec.RecordCodec;

/** Decoded values are bit-for-bit identical to the encoded ones. */
class RoundTripTest {
  private static <T> T read(String name, Class<T> type) {
    return type.cast(RecordCodec.of(type).read(message(name))[0]);
  }

  private static byte[] message(String name) {
    return SampleMessages.all().stream()
        .filter(message -> message.name().equals(name))
        .findFirst()
        .orElseThrow()
        .bytes();
  }

  @Test
  void everyMessageIsWrittenAgainAsItWas() {
    for (SampleMessages.Message message : SampleMessages.all()) {
      assertArrayEquals(message.bytes(), message.again().apply(message.bytes()), message.name());
    }
  }

  @Test
  void recordsAreEqual() {
    assertEquals(SampleMessages.config(), read("config", SessionConfig.class));
    assertEquals(SampleMessages.spec(), read("spec", DecoderSpec.class));
    assertEquals(SampleMessages.metrics(), read("metrics", SampleMessages.Metrics.class).metrics());
    assertEquals(SampleMessages.devices(), read("devices", SampleMessages.Devices.class).devices());
  }

  @Test
  void arraysAreEqual() {
    List<GenerationRequest> requests = read("requests", SampleMessages.Requests.class).requests();
    for (int i = 0; i < requests.size(); i++) {
      GenerationRequest expected = SampleMessages.requests().get(i);
      assertArrayEquals(expected.prompt(), requests.get(i).prompt());
      assertEquals(expected.sampling(), requests.get(i).sampling());
      assertEquals(expected.stopTokens(), requests.get(i).stopTokens());
      assertEquals(expected.seed(), requests.get(i).seed());
      assertEquals(expected.pictures(), requests.get(i).pictures());
    }
    Generation generation = read("generation", ResponseMessage.class).response();
    Generation written = SampleMessages.generation();
    assertArrayEquals(written.tokens(), generation.tokens());
    assertArrayEquals(written.logProbs(), generation.logProbs());
    assertArrayEquals(written.samplingLogProbs(), generation.samplingLogProbs());
    assertArrayEquals(written.weightVersions(), generation.weightVersions());
    assertEquals(written.stopped(), generation.stopped());
    TokenBatch batch = read("batch", TokenBatch.class);
    assertArrayEquals(SampleMessages.batch().offsets(), batch.offsets());
    assertArrayEquals(SampleMessages.batch().tokens(), batch.tokens());
    assertArrayEquals(SampleMessages.batch().scored(), batch.scored());
    assertEquals(SampleMessages.batch().pictures(), batch.pictures());
    Scores scores = read("scores", Scores.class);
    assertArrayEquals(SampleMessages.scores().logProbs(), scores.logProbs());
    assertArrayEquals(SampleMessages.scores().entropies(), scores.entropies());
    assertArrayEquals(SampleMessages.scores().sumPiSquared(), scores.sumPiSquared());
  }
}

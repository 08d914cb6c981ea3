package roll.cluster.inference.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import roll.api.option.RawOptions;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Scores;
import roll.api.strategy.TokenBatch;
import roll.cluster.services.codec.ByteReader;
import roll.cluster.services.codec.ByteWriter;
import roll.cluster.services.codec.OptionCodec;
import roll.runtime.option.YamlOptions;

/** What is read is what was written, to the last bit. */
class RoundTripTest {
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
    assertEquals(
        SampleMessages.config(), ByteReader.read(message("config"), SessionConfigCodec::config));
    assertEquals(SampleMessages.spec(), ByteReader.read(message("spec"), DecoderSpecCodec::spec));
    assertEquals(
        SampleMessages.metrics(), ByteReader.read(message("metrics"), MeasurementCodec::metrics));
    assertEquals(
        SampleMessages.devices(), ByteReader.read(message("devices"), MeasurementCodec::devices));
  }

  @Test
  void arraysAreEqual() {
    List<GenerationRequest> requests =
        ByteReader.read(message("requests"), SampleMessages::readRequests);
    for (int i = 0; i < requests.size(); i++) {
      GenerationRequest expected = SampleMessages.requests().get(i);
      assertArrayEquals(expected.prompt(), requests.get(i).prompt());
      assertEquals(expected.sampling(), requests.get(i).sampling());
      assertEquals(expected.stopTokens(), requests.get(i).stopTokens());
      assertEquals(expected.seed(), requests.get(i).seed());
      assertEquals(expected.pictures(), requests.get(i).pictures());
    }
    Generation generation = ByteReader.read(message("generation"), GenerationCodec::generation);
    Generation written = SampleMessages.generation();
    assertArrayEquals(written.tokens(), generation.tokens());
    assertArrayEquals(written.logProbs(), generation.logProbs());
    assertArrayEquals(written.samplingLogProbs(), generation.samplingLogProbs());
    assertArrayEquals(written.weightVersions(), generation.weightVersions());
    assertEquals(written.stopped(), generation.stopped());
    TokenBatch batch = ByteReader.read(message("batch"), ScoreCodec::batch);
    assertArrayEquals(SampleMessages.batch().offsets(), batch.offsets());
    assertArrayEquals(SampleMessages.batch().tokens(), batch.tokens());
    assertArrayEquals(SampleMessages.batch().scored(), batch.scored());
    assertEquals(SampleMessages.batch().pictures(), batch.pictures());
    Scores scores = ByteReader.read(message("scores"), ScoreCodec::scores);
    assertArrayEquals(SampleMessages.scores().logProbs(), scores.logProbs());
    assertArrayEquals(SampleMessages.scores().entropies(), scores.entropies());
    assertArrayEquals(SampleMessages.scores().sumPiSquared(), scores.sumPiSquared());
  }

  @Test
  void whatYamlDoesNotKnowIsNotWritten() {
    RawOptions odd = YamlOptions.of("here", java.util.Map.of("key", new Object()));
    assertThrows(IllegalArgumentException.class, () -> OptionCodec.write(new ByteWriter(), odd));
  }
}

package roll.cluster.environments;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.data.Message;
import roll.api.data.Message.InlinePicture;
import roll.api.env.Episode;
import roll.api.env.EpisodeStart;
import roll.api.env.Observation;
import roll.api.env.Step;
import roll.api.image.Picture;
import roll.cluster.services.RemoteContract;
import roll.cluster.services.codec.MalformedMessageException;
import roll.cluster.services.codec.RecordCodec;

/** Records of episodes are equal after they have been encoded and decoded. */
class EpisodeRecordsTest {
  private static final EpisodeStart START = new EpisodeStart("val", -7, Long.MIN_VALUE, 12, 3, 1);

  private static Step step() {
    Map<String, Double> metrics = new LinkedHashMap<>();
    metrics.put("z", -0.0);
    metrics.put("a", Double.MIN_VALUE);
    return new Step("über ☃", 0.1 + 0.2, true, false, metrics);
  }

  private record Parts(EpisodeStart start, Step step) {}

  private static <T> T again(Class<T> type, T value) {
    RecordCodec codec = RecordCodec.of(type);
    return type.cast(codec.read(codec.write(value))[0]);
  }

  @Test
  void recordsAreEqual() {
    Parts parts = new Parts(START, step());
    Parts read = again(Parts.class, parts);
    assertEquals(parts, read);
    assertEquals(List.of("z", "a"), List.copyOf(read.step().metrics().keySet()));
  }

  @Test
  void callsOfRemoteEpisodesCanBeEncoded() {
    assertDoesNotThrow(() -> EnvironmentHost.EPISODES);
    assertThrows(
        IllegalArgumentException.class, () -> new RemoteContract<>("episodes", Episode.class));
  }

  @Test
  void observationsKeepTheirPicturesAndTheirPlaces() {
    List<InlinePicture> pictures =
        List.of(
            new InlinePicture(0, Picture.of(new byte[] {1})),
            new InlinePicture(2, Picture.of(new byte[0])));
    List<Message> before =
        List.of(
            new Message("system", "s"), new Message("tool", "a", "search", pictures.subList(0, 1)));
    Observation seen = new Observation("ab", pictures, before);
    assertEquals(seen, again(Observation.class, seen));
    byte[] outside =
        RecordCodec.of(Outside.class)
            .write(new Outside("ab", List.of(new InlinePicture(3, pictures.getFirst().picture()))));
    assertThrows(MalformedMessageException.class, () -> RecordCodec.of(Inside.class).read(outside));
  }

  private record Outside(String text, List<InlinePicture> pictures) {}

  record Inside(String text, List<InlinePicture> pictures) {
    Inside {
      pictures = new Observation(text, pictures).pictures();
    }
  }
}

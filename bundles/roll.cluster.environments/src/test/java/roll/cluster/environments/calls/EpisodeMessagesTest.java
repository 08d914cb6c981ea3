package roll.cluster.environments.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import roll.api.data.Message;
import roll.api.data.Message.InlinePicture;
import roll.api.env.EpisodeStart;
import roll.api.env.Observation;
import roll.api.env.Step;
import roll.api.image.Picture;
import roll.api.option.Option;
import roll.api.option.UserException;
import roll.cluster.services.codec.MalformedMessageException;
import roll.cluster.services.codec.RecordCodec;
import roll.runtime.option.YamlOptions;

/** What is read is what was written, and damaged messages fail in one way. */
class EpisodeMessagesTest {
  private static final EpisodeStart START = new EpisodeStart("val", -7, Long.MIN_VALUE, 12, 3, 1);

  private static Step step() {
    Map<String, Double> metrics = new LinkedHashMap<>();
    metrics.put("z", -0.0);
    metrics.put("a", Double.MIN_VALUE);
    return new Step("über ☃", 0.1 + 0.2, true, false, metrics);
  }

  private static List<Option<?>> options() {
    return List.of(
        Option.flag("flag", "a").withDefault(true),
        Option.integer("whole", 1, 9, "b").withDefault(3),
        Option.number("decimal", 0, 0.5, "c").withDefault(0.25),
        Option.choice("word", List.of("x", "y"), "d").withDefault("y"),
        Option.text("text", "e"),
        Option.texts("texts", "f").withDefault(List.of("p", "q")),
        Option.list("list", "g"),
        Option.mapping("mapping", "h").withDefault(Map.of("k", "v")),
        Option.nested("nested", "i").withDefault(YamlOptions.of("nested", Map.of("n", 1))));
  }

  /** What travels as parts of one message. */
  private record Parts(EpisodeStart start, Step step, EpisodeHost.Description description) {}

  private static final RecordCodec PARTS = RecordCodec.of(Parts.class);

  private static Parts parts() {
    return new Parts(START, step(), new EpisodeHost.Description("walk", options()));
  }

  private static <T> T again(Class<T> type, T value) {
    RecordCodec codec = RecordCodec.of(type);
    return type.cast(codec.read(codec.write(value))[0]);
  }

  @Test
  void recordsAreEqual() {
    Parts read = again(Parts.class, parts());
    assertEquals(parts(), read);
    assertEquals(List.of("z", "a"), List.copyOf(read.step().metrics().keySet()));
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

  private record Said(Outcome<String> outcome) {}

  private static Supplier<String> outcome(Supplier<String> call) {
    return again(Said.class, new Said(Outcome.of(call).join())).outcome()::get;
  }

  @Test
  void outcomesAreWhatTheyWere() {
    assertEquals("yes", outcome(() -> "yes").get());
    Supplier<String> mistake =
        outcome(
            () -> {
              throw new UserException("size: 9 (allowed: 1 to 8)");
            });
    assertEquals(
        "size: 9 (allowed: 1 to 8)", assertThrows(UserException.class, mistake::get).getMessage());
    Supplier<String> failure =
        outcome(
            () -> {
              throw new StackOverflowError("deep");
            });
    assertEquals(
        "java.lang.StackOverflowError: deep",
        assertThrows(EnvironmentFailedException.class, failure::get).getMessage());
  }

  @Test
  void damagedMessagesFailInOneWay() {
    byte[] whole = PARTS.write(parts());
    Random random = new Random(2);
    int failed = 0;
    for (int i = 0; i < 2000; i++) {
      byte[] damaged = whole.clone();
      for (int k = 0; k <= i % 3; k++) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      }
      byte[] cut = i % 2 == 0 ? damaged : Arrays.copyOf(damaged, random.nextInt(200));
      try {
        var unused = PARTS.read(cut);
      } catch (MalformedMessageException e) {
        failed++; // all else fails the test
      }
    }
    assertThrows(
        MalformedMessageException.class, () -> RecordCodec.of(Step.class).read(new byte[] {1}));
    if (failed < 1000) {
      throw new AssertionError("only " + failed + " of 2000 damaged messages were refused");
    }
  }
}

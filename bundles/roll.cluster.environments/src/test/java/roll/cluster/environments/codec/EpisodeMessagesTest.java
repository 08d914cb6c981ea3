package roll.cluster.environments.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.awt.image.BufferedImage;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import roll.api.data.Message;
import roll.api.data.Message.PlacedPicture;
import roll.api.env.Observation;
import roll.api.env.Start;
import roll.api.env.Step;
import roll.api.image.Picture;
import roll.api.option.Option;
import roll.api.option.UserException;
import roll.cluster.services.codec.ByteReader;
import roll.cluster.services.codec.ByteWriter;
import roll.cluster.services.codec.MalformedMessageException;
import roll.runtime.option.YamlOptions;

/** What is read is what was written, and damaged messages fail in one way. */
class EpisodeMessagesTest {
  private static final Start START = new Start("val", -7, Long.MIN_VALUE, 12, 3, 1);

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
        Option.word("word", List.of("x", "y"), "d").withDefault("y"),
        Option.text("text", "e"),
        Option.texts("texts", "f").withDefault(List.of("p", "q")),
        Option.list("list", "g"),
        Option.mapping("mapping", "h").withDefault(Map.of("k", "v")),
        Option.nested("nested", "i").withDefault(YamlOptions.of("nested", Map.of("n", 1))));
  }

  private static <T> T again(ByteWriter out, Function<ByteReader, T> how) {
    return ByteReader.read(out.toBytes(), how);
  }

  @Test
  void recordsAreEqual() {
    assertEquals(
        START, again(new ByteWriter().of(START, EpisodeCodec::write), EpisodeCodec::start));
    Step read = again(new ByteWriter().of(step(), EpisodeCodec::write), EpisodeCodec::step);
    assertEquals(step(), read);
    assertEquals(List.of("z", "a"), List.copyOf(read.metrics().keySet()));
    assertEquals(
        options(),
        again(
            new ByteWriter().list(options(), OptionDeclarationCodec::write),
            in -> in.list(EpisodeMessagesTest::option)));
  }

  private static Option<?> option(ByteReader in) {
    return OptionDeclarationCodec.read(in);
  }

  @Test
  void picturesHaveTheSamePixels() {
    BufferedImage image = new BufferedImage(5, 3, BufferedImage.TYPE_INT_ARGB);
    Random random = new Random(1);
    int[] pixels = random.ints(15).toArray();
    image.setRGB(0, 0, 5, 3, pixels, 0, 5);
    ByteWriter out = new ByteWriter();
    EpisodeCodec.write(out, Optional.of(image));
    BufferedImage read = again(out, EpisodeCodec::picture).orElseThrow();
    assertArrayEquals(image.getRGB(0, 0, 5, 3, null, 0, 5), read.getRGB(0, 0, 5, 3, null, 0, 5));
  }

  @Test
  void observationsKeepTheirPicturesAndTheirPlaces() {
    Observation seen =
        new Observation(
            "ab",
            List.of(
                new PlacedPicture(0, Picture.of(new byte[] {1})),
                new PlacedPicture(2, Picture.of(new byte[0]))),
            List.of(new Message("system", "s"), new Message("user", "a")));
    ByteWriter out = new ByteWriter();
    EpisodeCodec.write(out, seen);
    assertEquals(seen, again(out, EpisodeCodec::observation));
    ByteWriter outside = new ByteWriter().text("ab");
    outside.list(List.of(3), (to, at) -> to.int32(at).bytes(new byte[0]));
    assertThrows(MalformedMessageException.class, () -> again(outside, EpisodeCodec::observation));
  }

  private static Supplier<String> outcome(Supplier<String> call) {
    byte[] answer = OutcomeCodec.of(() -> text(call.get())).join();
    return ByteReader.read(answer, in -> OutcomeCodec.read(in, ByteReader::text));
  }

  private static Consumer<ByteWriter> text(String text) {
    return out -> out.text(text);
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
    byte[] whole =
        new ByteWriter()
            .of(START, EpisodeCodec::write)
            .of(step(), EpisodeCodec::write)
            .list(options(), OptionDeclarationCodec::write)
            .toBytes();
    Random random = new Random(2);
    int failed = 0;
    for (int i = 0; i < 2000; i++) {
      byte[] damaged = whole.clone();
      for (int k = 0; k <= i % 3; k++) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      }
      byte[] cut = i % 2 == 0 ? damaged : Arrays.copyOf(damaged, random.nextInt(200));
      try {
        var unused =
            ByteReader.read(
                cut,
                in ->
                    List.of(
                        EpisodeCodec.start(in),
                        EpisodeCodec.step(in),
                        in.list(EpisodeMessagesTest::option)));
      } catch (MalformedMessageException e) {
        failed++; // all else fails the test
      }
    }
    assertThrows(
        MalformedMessageException.class, () -> ByteReader.read(new byte[] {1}, EpisodeCodec::step));
    if (failed < 1000) {
      throw new AssertionError("only " + failed + " of 2000 damaged messages were refused");
    }
  }
}

package roll.cluster.services.codec;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import roll.api.image.Picture;
import roll.api.option.Option;
import roll.api.option.RawOptions;
import roll.runtime.option.YamlOptions;

/** Records in which every kind of component is, and values of them by chance. */
final class SampleValues {
  private SampleValues() {}

  enum Color {
    RED,
    GREEN {
      @Override
      public String toString() {
        return "a constant with a body";
      }
    }
  }

  sealed interface Shape {}

  record Point() implements Shape {}

  record Circle(double radius, @Nullable String label) implements Shape {}

  record Pair<A, B>(A first, B second) {}

  record Scalars(
      boolean flag,
      int number,
      long large,
      float small,
      double real,
      @Nullable Integer boxed,
      @Nullable String text,
      Color color,
      @Nullable Pair<String, List<Long>> pair) {}

  record Collections(
      List<Shape> shapes,
      Set<Color> colors,
      Map<String, List<Integer>> byName,
      Optional<Duration> limit,
      Map<Color, @Nullable Object> options) {}

  record Others(
      Path path,
      InetSocketAddress at,
      RawOptions raw,
      Picture picture,
      ByteBuffer bytes,
      List<Option<?>> declared) {}

  /** Arrays have no equality, so they are compared as texts. */
  record Arrays2(
      byte[] bytes,
      int[] ints,
      long[] longs,
      float[] floats,
      double[] doubles,
      boolean[] flags,
      double[][] columns,
      Color[] colors) {
    @Override
    public String toString() {
      return Arrays.toString(bytes)
          + Arrays.toString(ints)
          + Arrays.toString(longs)
          + Arrays.toString(floats)
          + Arrays.toString(doubles)
          + Arrays.toString(flags)
          + Arrays.deepToString(columns)
          + Arrays.toString(colors);
    }
  }

  record All(Scalars scalars, Collections collections, Others others) {}

  static All all(RandomGenerator random) {
    return new All(scalars(random), collections(random), others(random));
  }

  private static String text(RandomGenerator random) {
    return random
        .ints(random.nextInt(5), 0, 0x2fff)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private static Scalars scalars(RandomGenerator random) {
    return new Scalars(
        random.nextBoolean(),
        random.nextInt(),
        random.nextLong(),
        Float.intBitsToFloat(random.nextInt(1 << 23)),
        random.nextGaussian(),
        random.nextBoolean() ? null : random.nextInt(),
        random.nextBoolean() ? null : text(random),
        random.nextBoolean() ? Color.RED : Color.GREEN,
        random.nextBoolean() ? null : new Pair<>(text(random), List.of(random.nextLong())));
  }

  private static Collections collections(RandomGenerator random) {
    Map<String, List<Integer>> byName = new LinkedHashMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      byName.put("k" + i, random.ints(random.nextInt(3)).boxed().toList());
    }
    Map<Color, @Nullable Object> options = new LinkedHashMap<>();
    options.put(Color.GREEN, null);
    options.put(
        Color.RED,
        Arrays.asList(
            true, 1, 1L << 40, BigInteger.TEN.pow(30), 0.5, "a", null, Map.of("k", List.of())));
    return new Collections(
        IntStream.range(0, random.nextInt(4))
            .<Shape>mapToObj(i -> i % 2 == 0 ? new Point() : new Circle(i, i == 1 ? null : "c"))
            .toList(),
        random.nextBoolean() ? Set.of() : Set.of(Color.values()),
        byName,
        random.nextBoolean() ? Optional.empty() : Optional.of(Duration.ofNanos(random.nextLong())),
        options);
  }

  private static Others others(RandomGenerator random) {
    byte[] bytes = new byte[random.nextInt(20)];
    random.nextBytes(bytes);
    return new Others(
        Path.of("/models/a b"),
        new InetSocketAddress(InetAddress.ofLiteral("::1"), random.nextInt(65_536)),
        YamlOptions.of("here", Map.of("share", random.nextDouble())),
        Picture.of(bytes),
        ByteBuffer.wrap(bytes),
        declared());
  }

  static List<Option<?>> declared() {
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
}

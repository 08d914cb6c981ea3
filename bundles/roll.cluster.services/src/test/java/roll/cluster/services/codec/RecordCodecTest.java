package roll.cluster.services.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.CRC32;
import javax.imageio.ImageIO;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import roll.api.image.Picture;
import roll.api.option.Option;
import roll.api.option.OptionType;
import roll.api.option.RawOptions;
import roll.cluster.services.codec.SampleValues.All;
import roll.cluster.services.codec.SampleValues.Arrays2;
import roll.cluster.services.codec.SampleValues.Color;
import roll.runtime.option.YamlOptions;

/** Decoded values are equal to the encoded ones, and other bytes are refused. */
class RecordCodecTest {
  private static final RecordCodec ALL = RecordCodec.of(All.class);

  record Ring(List<Ring> more) {}

  record Unknown(Thread thread) {}

  record Positive(int number) {
    Positive {
      if (number <= 0) {
        throw new IllegalArgumentException(number + " is not positive");
      }
    }
  }

  record Names(Map<String, Integer> names, Set<String> set) {}

  @Test
  void valuesAreEqualAndWrittenAgainAsTheyWere() {
    Random random = new Random(7);
    for (int i = 0; i < 200; i++) {
      All value = SampleValues.all(random);
      byte[] message = ALL.write(value);
      Object again = ALL.read(message)[0];
      assertEquals(value, again);
      assertArrayEquals(message, ALL.write(again));
    }
  }

  @Test
  void arraysKeepEveryBit() {
    RecordCodec codec = RecordCodec.of(Arrays2.class);
    double odd = Double.longBitsToDouble(0x7ff8000000000123L);
    Arrays2 value =
        new Arrays2(
            new byte[] {1, -1},
            new int[] {Integer.MIN_VALUE},
            new long[] {Long.MAX_VALUE, 0},
            new float[] {Float.NaN, -0f, Float.MIN_VALUE},
            new double[] {odd, -0.0, Double.NEGATIVE_INFINITY},
            new boolean[] {true, false, true, true, false, false, false, true, true},
            new double[][] {{1, 2}, {}, {odd}},
            new Color[] {Color.GREEN, Color.RED});
    byte[] message = codec.write(value);
    Arrays2 again = (Arrays2) codec.read(message)[0];
    assertEquals(String.valueOf(value), String.valueOf(again));
    assertEquals(Double.doubleToRawLongBits(odd), Double.doubleToRawLongBits(again.doubles()[0]));
    assertArrayEquals(message, codec.write(again));
  }

  @Test
  void picturesHaveTheSamePixels() {
    BufferedImage image = new BufferedImage(5, 3, BufferedImage.TYPE_INT_ARGB);
    image.setRGB(0, 0, 5, 3, new Random(1).ints(15).toArray(), 0, 5);
    RecordCodec codec = RecordCodec.of(BufferedImage.class);
    BufferedImage again = (BufferedImage) codec.read(codec.write(image))[0];
    assertArrayEquals(image.getRGB(0, 0, 5, 3, null, 0, 5), again.getRGB(0, 0, 5, 3, null, 0, 5));
    byte[] none = RecordCodec.of(byte[].class).write(new byte[] {1, 2});
    byte[] marked = new byte[none.length + 1];
    marked[0] = none[0];
    marked[1] = 1; // it is there
    System.arraycopy(none, 1, marked, 2, none.length - 1);
    assertEquals("a picture is no PNG", refusal(codec, marked));
  }

  /** A picture in another format; and one whose few bytes claim to be gigabytes. */
  @Test
  void onlyPngOfASizeThatFitsIsRead() throws IOException {
    BufferedImage image = new BufferedImage(5, 3, BufferedImage.TYPE_INT_RGB);
    RecordCodec codec = RecordCodec.of(BufferedImage.class);
    RecordCodec bytes = RecordCodec.of(Picture.class);
    ByteArrayOutputStream gif = new ByteArrayOutputStream();
    assertTrue(ImageIO.write(image, "gif", gif));
    assertEquals("a picture is no PNG", refusal(codec, bytes.write(Picture.of(gif.toByteArray()))));
    byte[] claims = Picture.png(image).data();
    ByteBuffer.wrap(claims).putInt(16, 40_000).putInt(20, 50_000);
    CRC32 check = new CRC32();
    check.update(claims, 12, 17);
    ByteBuffer.wrap(claims).putInt(29, (int) check.getValue());
    assertEquals(
        "a picture is 40000 by 50000 pixels, more than 33554432",
        refusal(codec, bytes.write(Picture.of(claims))));
  }

  private record Declared(List<Option<?>> options) {}

  /** Like {@link Declared}, but with options as {@link Option} that check nothing. */
  private record Loose(List<LooseOption<?>> options) {}

  private record LooseOption<T>(
      String name, OptionType<?> type, T defaultValue, String description) {}

  private static byte[] loose(OptionType<?> type, Object value) {
    return RecordCodec.of(Loose.class)
        .write(new Loose(List.of(new LooseOption<>("steps", type, value, "a"))));
  }

  /** A default is of the type that its option is read as. */
  @Test
  void defaultsOfAnotherTypeAreRefused() {
    RecordCodec codec = RecordCodec.of(Declared.class);
    assertEquals(
        new Declared(List.of(Option.integer("steps", 1, 9, "a").withDefault(3))),
        codec.read(loose(new OptionType.Int(1, 9), 3))[0]);
    Map<OptionType<?>, Object> wrong =
        Map.of(
            new OptionType.Flag(),
            "yes",
            new OptionType.Int(1, 9),
            "3",
            new OptionType.Real(0, 1),
            1,
            new OptionType.Text(List.of()),
            1.5,
            new OptionType.Texts(),
            List.of("a", 1),
            new OptionType.Elements(),
            "a",
            new OptionType.Mapping(),
            Map.of("k", 1),
            new OptionType.Nested(),
            List.of());
    wrong.forEach(
        (type, value) ->
            assertEquals(
                "a message has an invalid value: option steps: the default "
                    + value
                    + " is not of type "
                    + type,
                refusal(codec, loose(type, value))));
  }

  @Test
  void severalValuesAreOneBehindTheOther() {
    RecordCodec codec = RecordCodec.of(int.class, String.class, double[].class);
    byte[] message = codec.write(3, null, new double[] {0.5});
    @Nullable Object[] read = codec.read(message);
    assertEquals("[3, null, [0.5]]", Arrays.deepToString(read));
    assertEquals(1 + 4 + 1 + 4 + 8, message.length);
    assertEquals(0, RecordCodec.of().read(RecordCodec.of().write()).length);
  }

  private static String refusal(RecordCodec codec, byte[] message) {
    return String.valueOf(
        assertThrows(MalformedMessageException.class, () -> codec.read(message)).getMessage());
  }

  @Test
  void whatIsNoneOfItIsRefusedInOneLine() {
    RecordCodec numbers = RecordCodec.of(int.class);
    byte[] three = numbers.write(3);
    byte[] later = three.clone();
    later[0] = 9;
    assertEquals("a message has version 9 (supported: 1)", refusal(numbers, later));
    assertEquals("1 bytes follow the end of a message", refusal(numbers, Arrays.copyOf(three, 6)));
    assertEquals(
        "a message ends after 4 bytes, in the middle of a value",
        refusal(numbers, Arrays.copyOf(three, 4)));
    assertEquals(
        "a message has an invalid value: 0 is not positive",
        refusal(RecordCodec.of(Positive.class), new byte[] {1, 1, 0, 0, 0, 0}));
    assertEquals(
        "there is no constant BLUE",
        refusal(RecordCodec.of(Color.class), RecordCodec.of(String.class).write("BLUE")));
    assertEquals(
        "there is no Shape Thread",
        refusal(
            RecordCodec.of(SampleValues.Shape.class),
            RecordCodec.of(String.class).write("Thread")));
    ByteWriter twice = new ByteWriter(null).bool(true).int32(2);
    byte[] message = twice.text("a").int32(1).text("a").int32(2).int32(0).toBytes();
    assertEquals("a map has a key twice: a", refusal(RecordCodec.of(Names.class), message));
  }

  /** A count that is larger than the message allocates no array and no list. */
  @Test
  void countsAreBelievedOnlyIfAsMuchFollows() {
    List<Type> types = new ArrayList<>();
    types.addAll(List.of(byte[].class, int[].class, double[].class, double[][].class));
    for (Type type : types) {
      byte[] message = new ByteWriter(null).int32(Integer.MAX_VALUE).int64(0).toBytes();
      assertEquals(
          "a message ends after 13 bytes, in the middle of a value",
          refusal(RecordCodec.of(type), message));
    }
  }

  @Test
  void setsAreWrittenInOneOrder() {
    RecordCodec codec = RecordCodec.of(Names.class);
    assertArrayEquals(
        codec.write(new Names(Map.of(), new TreeSet<>(Set.of("b", "a", "c")).descendingSet())),
        codec.write(new Names(Map.of(), Set.of("a", "b", "c"))));
  }

  @Test
  void typesThatNoMessageHasAreNamed() {
    assertEquals(
        "java.lang.Thread is not supported in messages",
        assertThrows(IllegalArgumentException.class, () -> RecordCodec.of(Unknown.class))
            .getMessage());
    assertEquals(
        Ring.class.getName() + " contains itself",
        assertThrows(IllegalArgumentException.class, () -> RecordCodec.of(Ring.class))
            .getMessage());
  }

  @Test
  void whatYamlDoesNotKnowIsNotWritten() {
    RecordCodec codec = RecordCodec.of(RawOptions.class);
    RawOptions odd = YamlOptions.of("here", Map.of("key", new Object()));
    assertThrows(IllegalArgumentException.class, () -> codec.write(odd));
    assertThrows(
        NullPointerException.class, () -> RecordCodec.of(int[].class).write((Object) null));
    assertTrue(codec.write((Object) null).length == 2, "a byte says that there is none");
  }
}

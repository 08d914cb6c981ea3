package roll.env.frozen_lake;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.awt.image.BufferedImage;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.data.RandomStreams;
import roll.api.env.Episode;
import roll.testkit.TestOptions;

/** The observation of a lake, as text, as picture, or as both. */
class LakePictureTest {
  /**
   * The map
   *
   * <pre>
   *   P O
   *   _ G
   * </pre>
   */
  private static final LakeMap SMALL =
      new LakeMap(2, new boolean[] {false, true, false, false}, 0, 3);

  @ParameterizedTest
  @CsvSource({
    ",,text",
    "text,,text",
    ",text,text",
    "text,text,text",
    "picture,,picture",
    ",rgb_array,picture",
    "picture,rgb_array,picture",
    "both,,both",
    "both,rgb_array,both"
  })
  void observationAndRenderModeGoTogether(
      @Nullable String observation, @Nullable String mode, String seen) {
    Episode episode = lake(config(observation, mode));
    assertEquals(seen.equals("picture") ? "" : "PO\n_G", episode.observation());
    assertEquals(!seen.equals("text"), episode.picture().isPresent());
    String next = episode.step("<answer>Down</answer>").observation();
    assertEquals(seen.equals("picture") ? "" : "_O\nPG", next);
    assertEquals(!seen.equals("text"), episode.picture().isPresent());
    assertTrue(episode.render().isPresent());
  }

  @ParameterizedTest
  @CsvSource({"text,rgb_array,picture or both", "picture,text,text", "both,text,text"})
  void aContradictionIsOneLine(String observation, String mode, String allowed) {
    assertEquals(
        "env_config.observation: expected %s where render_mode is %s, found '%s'"
            .formatted(allowed, mode, observation),
        complaint(config(observation, mode)));
  }

  @Test
  void wrongValuesAreRefusedInOneLine() {
    assertEquals(
        "env_config.observation: expected one of text, picture, both, found 'image'",
        complaint(Map.of("observation", "image")));
    assertEquals(
        "env_config.cell_pixels: expected a multiple of 14, found '30'",
        complaint(Map.of("cell_pixels", 30)));
    assertEquals(
        "env_config.cell_pixels: expected an integer from 14 to 280, found '13'",
        complaint(Map.of("cell_pixels", 13)));
    assertEquals(
        "env_config.cell_pixels: expected at most 28 where a side has 100 cells, found '56'",
        complaint(Map.of("observation", "picture", "size", 100, "cell_pixels", 56)));
    // who reads text may have any lake
    scenario(Map.of("size", 100));
  }

  @Test
  void aCellHasTheSizeAskedForAndOneMoveChangesTwoCells() {
    Map<String, @Nullable Object> config = Map.of("observation", "picture", "cell_pixels", 28);
    Episode episode = lake(config);
    BufferedImage start = episode.picture().orElseThrow();
    assertEquals(56, start.getWidth());
    assertEquals(56, start.getHeight());
    episode.step("<answer>Down</answer>");
    BufferedImage next = episode.picture().orElseThrow();
    for (int cell = 0; cell < 4; cell++) {
      boolean changed = cell == 0 || cell == 2;
      assertEquals(changed, !Arrays.equals(cell(start, cell), cell(next, cell)), "cell " + cell);
    }
    assertEquals(2 * 56, lake(Map.of("observation", "both")).picture().orElseThrow().getWidth());
  }

  @Test
  void holesGoalsAndPlayersLookDifferent() {
    for (int size : new int[] {14, 28, 56}) {
      BufferedImage lake = new LakePicture(size).draw(SMALL, 0);
      assertNotEquals(Arrays.hashCode(cell(lake, 0)), Arrays.hashCode(cell(lake, 1)));
      assertNotEquals(Arrays.hashCode(cell(lake, 1)), Arrays.hashCode(cell(lake, 3)));
      assertNotEquals(Arrays.hashCode(cell(lake, 2)), Arrays.hashCode(cell(lake, 3)));
    }
  }

  /** The same pixels on every machine: shapes alone, drawn by Java's own rasterizer, no fonts. */
  @Test
  void pixelsAreEqualEverywhere() throws Exception {
    LakeMap map = LakeMap.random(4, 0.8, RandomStreams.of(7, "test"));
    assertEquals("ee4684541e481934", digest(new LakePicture(28).draw(map, map.start())));
    assertEquals("2fdfd82733dc101f", digest(new LakePicture(56).draw(map, map.goal())));
  }

  @Test
  void theInstructionTellsWhatIsSeen() {
    String text = scenario(Map.of()).instruction();
    String picture = scenario(Map.of("observation", "picture")).instruction();
    String both = scenario(Map.of("observation", "both")).instruction();
    assertTrue(text.contains("P: player") && !text.contains("elf"), text);
    assertTrue(picture.contains("elf") && !picture.contains("P: player"), picture);
    assertTrue(both.contains("elf") && both.contains("P: player"), both);
    assertTrue(picture.endsWith("\nYour available actions are:\nLeft, Down, Right, Up"), picture);
    assertEquals(
        "", scenario(Map.of("observation", "picture", "env_instruction", "")).instruction());
  }

  @Test
  void thePictureIsTheWorldEachTime() {
    Episode episode = lake(Map.of("observation", "picture", "cell_pixels", 28));
    assertArrayEquals(
        pixels(new LakePicture(28).draw(SMALL, 0)), pixels(episode.picture().orElseThrow()));
    episode.step("<answer>Right</answer>");
    assertArrayEquals(
        pixels(new LakePicture(28).draw(SMALL, 1)), pixels(episode.picture().orElseThrow()));
  }

  private static String digest(BufferedImage image) throws Exception {
    int[] pixels = pixels(image);
    ByteBuffer bytes = ByteBuffer.allocate(4 * pixels.length);
    bytes.asIntBuffer().put(pixels);
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes.array());
    return HexFormat.of().formatHex(digest, 0, 8);
  }

  private static Map<String, @Nullable Object> config(
      @Nullable String observation, @Nullable String mode) {
    Map<String, @Nullable Object> config = new HashMap<>();
    if (observation != null) {
      config.put("observation", observation);
    }
    if (mode != null) {
      config.put("render_mode", mode);
    }
    return config;
  }

  private static String complaint(Map<String, @Nullable Object> config) {
    String message = userError(() -> scenario(config));
    assertFalse(message.contains("\n"), message);
    return message;
  }

  private static int[] pixels(BufferedImage image) {
    return image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth());
  }

  /** The pixels of a cell of a lake of two by two. */
  private static int[] cell(BufferedImage image, int cell) {
    int side = image.getWidth() / 2;
    return image.getRGB(cell % 2 * side, cell / 2 * side, side, side, null, 0, side);
  }

  private static Episode lake(Map<String, @Nullable Object> config) {
    Map<String, @Nullable Object> all = new HashMap<>(config);
    all.put("is_slippery", false);
    return new FrozenLakeEpisode(scenario(all), SMALL, RandomStreams.of(0, "test"));
  }

  private static FrozenLakeScenario scenario(Map<String, @Nullable Object> config) {
    return new FrozenLakeScenario(
        TestOptions.of("env_config", config, new FrozenLakeEnvironment().options()));
  }
}

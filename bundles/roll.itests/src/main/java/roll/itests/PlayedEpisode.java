package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import javax.imageio.ImageIO;
import roll.api.config.EnvConfig;
import roll.api.env.Environment;
import roll.api.env.Episode;
import roll.browser.testkit.OpenPage;
import roll.runtime.config.ConfigLoader;
import roll.runtime.option.YamlOptions;

/** The board of a replayed episode before each turn and after the last. */
record PlayedEpisode(List<BufferedImage> boards) {
  /** Script that returns the picture on the page. */
  private static final String SHOWN =
      """
      (async () => {
        const image = document.querySelector('img.frame');
        await image.decode();
        const canvas = document.createElement('canvas');
        canvas.width = image.naturalWidth;
        canvas.height = image.naturalHeight;
        canvas.getContext('2d').drawImage(image, 0, 0);
        return canvas.toDataURL('image/png').split(',')[1];
      })()
      """;

  /** Replays line {@code index} of {@code file} with the environment's own service. */
  static PlayedEpisode read(Path file, int index) throws Exception {
    JsonObject line = JsonParser.parseString(Files.readAllLines(file).get(index)).getAsJsonObject();
    Path config = Objects.requireNonNull(file.getParent()).resolveSibling("config.yaml");
    EnvConfig world =
        Objects.requireNonNull(
            SmallRuns.service(ConfigLoader.class)
                .load(config, List.of())
                .run()
                .rollout()
                .customEnvs()
                .get(line.get("tag").getAsString()));
    Environment environment =
        SmallRuns.service(Environment.class, "(roll.env=" + world.envType() + ")");
    List<BufferedImage> boards = new ArrayList<>();
    try (Episode episode =
        environment
            .configure(YamlOptions.checked("env_config", world.options(), environment.options()))
            .reset(line.get("seed").getAsLong())) {
      boards.add(episode.render().orElseThrow());
      for (JsonElement message : line.getAsJsonArray("messages")) {
        JsonObject said = message.getAsJsonObject();
        if (said.get("role").getAsString().equals("assistant")) {
          episode.step(said.get("content").getAsString());
          boards.add(episode.render().orElseThrow());
        }
      }
    }
    assertEquals(line.getAsJsonArray("rewards").size() + 1, boards.size());
    return new PlayedEpisode(boards);
  }

  /** Steps through the replay on {@code page}, which shows the first board, and compares all. */
  void requireShown(OpenPage page) throws Exception {
    for (int turn = 0; turn < boards.size(); turn++) {
      page.await(
          "(i => i && i.complete && i.naturalWidth > 0 && i.src.endsWith('/frames/"
              + turn
              + "'))(document.querySelector('img.frame'))");
      byte[] png = Base64.getDecoder().decode(page.evaluate(SHOWN).getAsString());
      BufferedImage shown = ImageIO.read(new ByteArrayInputStream(png));
      int turns = turn;
      assertTrue(same(boards.get(turn), shown), () -> "another board after " + turns + " turns");
      if (turn < boards.size() - 1) {
        page.click("button", "Forward");
      }
    }
  }

  private static boolean same(BufferedImage one, BufferedImage other) {
    return one.getWidth() == other.getWidth()
        && one.getHeight() == other.getHeight()
        && Arrays.equals(pixels(one), pixels(other));
  }

  private static int[] pixels(BufferedImage image) {
    int width = image.getWidth();
    int[] pixels = image.getRGB(0, 0, width, image.getHeight(), null, 0, width);
    return Arrays.stream(pixels).map(pixel -> pixel | 0xFF000000).toArray();
  }
}

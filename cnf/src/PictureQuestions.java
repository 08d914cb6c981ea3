import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.Polygon;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.imageio.ImageIO;

/**
 * Generates the questions about pictures of {@code configs/vqa_small.yaml}: {@code java
 * cnf/src/PictureQuestions.java configs/data}. Each picture has one colored shape in one of four
 * positions, and three questions: the shape, its color, and to click on it. Every fourth picture is
 * for validation.
 */
class PictureQuestions {
  private static final int SIDE = 112;
  private static final int SHAPE = 40;
  private static final Map<String, Color> COLORS =
      new TreeMap<>(
          Map.of(
              "blue", new Color(0x1F5FBF),
              "green", new Color(0x2E8B57),
              "red", new Color(0xC62828),
              "yellow", new Color(0xF2C037)));
  private static final List<String> SHAPES = List.of("square", "circle", "triangle");

  public static void main(String[] arguments) throws IOException {
    Path data = Path.of(arguments[0]);
    Path pictures = Files.createDirectories(data.resolve("vqa"));
    List<String> train = new ArrayList<>();
    List<String> validation = new ArrayList<>();
    List<String> clicks = new ArrayList<>();
    int number = 0;
    for (String shape : SHAPES) {
      for (String color : COLORS.keySet()) {
        int place = number % 4;
        int x = place % 2 == 0 ? 8 : SIDE - 8 - SHAPE;
        int y = place / 2 == 0 ? 8 : SIDE - 8 - SHAPE;
        String name = color + "-" + shape + ".png";
        ImageIO.write(draw(shape, COLORS.get(color), x, y), "png", pictures.resolve(name).toFile());
        List<String> rows = number % 4 == 3 ? validation : train;
        rows.add(
            row(
                "What is in the picture?",
                "[\"%s\", \"%s %s\"]".formatted(shape, color, shape),
                name));
        rows.add(row("What colour is the shape?", "[\"%s\"]".formatted(color), name));
        clicks.add(
            row(
                "Click on the %s.".formatted(shape),
                "\"Action: click(start_box='(%d,%d)')\"".formatted(x + SHAPE / 2, y + SHAPE / 2),
                name));
        number++;
      }
    }
    Files.write(data.resolve("vqa-train.jsonl"), train);
    Files.write(data.resolve("vqa-val.jsonl"), validation);
    Files.write(data.resolve("vqa-clicks.jsonl"), clicks);
  }

  private static String row(String question, String answer, String picture) {
    return "{\"prompt\": [{\"role\": \"user\", \"content\": \"<image>%s\"}], \"images\": [{\"path\": \"vqa/%s\"}], \"answer\": %s}"
        .formatted(question, picture, answer);
  }

  /** Draws without antialiasing, so that pixels and bytes are reproducible. */
  private static BufferedImage draw(String shape, Color color, int x, int y) {
    BufferedImage image = new BufferedImage(SIDE, SIDE, BufferedImage.TYPE_INT_RGB);
    Graphics2D g = image.createGraphics();
    g.setColor(Color.WHITE);
    g.fillRect(0, 0, SIDE, SIDE);
    g.setColor(color);
    switch (shape) {
      case "square" -> g.fillRect(x, y, SHAPE, SHAPE);
      case "circle" -> g.fillOval(x, y, SHAPE, SHAPE);
      default ->
          g.fillPolygon(
              new Polygon(
                  new int[] {x, x + SHAPE, x + SHAPE / 2}, new int[] {y + SHAPE, y + SHAPE, y}, 3));
    }
    g.dispose();
    return image;
  }
}

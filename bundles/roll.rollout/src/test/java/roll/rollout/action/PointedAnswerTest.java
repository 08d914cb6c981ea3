package roll.rollout.action;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import roll.api.agent.AgentTools;
import roll.api.config.AgentConfig;
import roll.api.config.AgentConfig.Side;
import roll.api.env.Episode;
import roll.api.env.Step;
import roll.api.image.ImageSize;
import roll.api.image.PictureScale;
import roll.testkit.AnswerAgentType;

/** The answer of an agent that points at its picture, as the environment reads it. */
@NullMarked
class PointedAnswerTest {
  private static final AgentConfig LIMITS =
      new AgentConfig("pointing", Map.of(), 0, 9, true, 30, 99, Side.LEFT);

  /** Answers with a column; the model sees half of the width. */
  private static final class Pointing extends AnswerAgentType {
    private final boolean points;

    Pointing(boolean points) {
      this.points = points;
    }

    @Override
    public boolean pointsAtPictures() {
      return points;
    }

    @Override
    public String answer(String response, @Nullable PictureScale scale) {
      return scale == null ? response : String.valueOf(scale.x(Double.parseDouble(response)));
    }
  }

  /** Records responses; its picture grows with every step. */
  private static final class Growing implements Episode {
    private final boolean drawn;
    private final List<String> told = new ArrayList<>();
    private int pictures;

    Growing(boolean drawn) {
      this.drawn = drawn;
    }

    @Override
    public String observation() {
      return "";
    }

    @Override
    public Optional<BufferedImage> picture() {
      pictures++;
      int width = 200 << told.size();
      return drawn
          ? Optional.of(new BufferedImage(width, 100, BufferedImage.TYPE_INT_RGB))
          : Optional.empty();
    }

    @Override
    public Step step(String response) {
      told.add(response);
      return new Step("", 0, false, false);
    }
  }

  private static ToolActionHandler handler(Growing world, boolean pointing) {
    return new ToolActionHandler(
        world,
        new AgentTools(LIMITS, new Pointing(pointing), List.of()),
        1,
        size -> new ImageSize(100, size.height()));
  }

  @Test
  void theScaleIsOfThePictureThatWasShown() throws InterruptedException {
    Growing world = new Growing(true);
    try (ToolActionHandler handler = handler(world, true)) {
      handler.step("30", "30");
      assertEquals("60", handler.read());
      handler.step("30", "30");
      assertEquals("120", handler.read());
    }
    assertEquals(List.of("60", "120"), world.told);
  }

  @Test
  void aWorldOfTextReadsTheResponse() throws InterruptedException {
    Growing world = new Growing(false);
    try (ToolActionHandler handler = handler(world, true)) {
      handler.step("30", "30");
      assertNull(handler.read());
    }
    assertEquals(List.of("30"), world.told);
  }

  @Test
  void whoDoesNotPointCostsNoPicture() throws InterruptedException {
    Growing world = new Growing(true);
    try (ToolActionHandler handler = handler(world, false)) {
      handler.step("30", "30");
    }
    assertEquals(List.of("30"), world.told);
    assertEquals(0, world.pictures);
  }
}

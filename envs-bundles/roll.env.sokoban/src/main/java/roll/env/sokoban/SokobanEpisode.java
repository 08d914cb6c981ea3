package roll.env.sokoban;

import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import roll.api.env.Episode;
import roll.api.env.Step;
import roll.grid.ActionParser.Action;
import roll.grid.GridWorld;

/** An episode on one Sokoban level. */
final class SokobanEpisode implements Episode {
  private static final double STEP = -0.1;
  private static final double FINISHED = 10;

  private final GridWorld grid;
  private final BoardSymbols symbols;
  private final BoardPicture picture;
  private final Board board;
  private int steps;
  private boolean over;

  /** The expert's moves to the end; null before the first request. */
  private byte @Nullable [] plan;

  private int made;

  SokobanEpisode(SokobanScenario scenario, Level level) {
    grid = scenario.grid();
    symbols = scenario.symbols();
    picture = scenario.picture();
    board = new Board(level);
  }

  @Override
  public String observation() {
    return grid.observation().showsText() ? symbols.text(board) : "";
  }

  @Override
  public Optional<BufferedImage> picture() {
    return grid.observation().showsPicture() ? Optional.of(picture.draw(board)) : Optional.empty();
  }

  @Override
  public List<String> actions() {
    return over ? List.of() : grid.actions();
  }

  @Override
  public String respond(String action) {
    return grid.parser().respond(action);
  }

  /**
   * Returns the next move of the solver's plan, which is kept while the agent follows it. If the
   * solver finds none at the start, the plan is the solution of the generator.
   */
  @Override
  public Optional<String> expert() {
    if (over) {
      return Optional.empty();
    }
    byte[] moves = plan;
    if (moves == null) {
      moves = new Solver(board).solve();
      if (moves.length == 0 && steps == 0) {
        moves = board.level().solution();
      }
      plan = moves;
      made = 0;
    }
    return made < moves.length ? Optional.of(grid.actions().get(moves[made])) : Optional.empty();
  }

  @Override
  public Step step(String response) {
    if (over) {
      throw new IllegalStateException("the episode is over");
    }
    Action action = grid.parser().parse(response);
    int before = board.placed();
    boolean moved = action != null && move(action.number() - 1);
    steps++;
    boolean solved = board.solved();
    boolean truncated = !solved && steps >= grid.maxSteps();
    over = solved || truncated;
    double reward =
        STEP
            + Integer.signum(board.placed() - before)
            + (solved ? FINISHED : 0)
            + (action == null ? grid.formatPenalty() : 0);
    return new Step(
        observation(), reward, solved, truncated, grid.metrics(moved, action != null, solved));
  }

  private boolean move(int direction) {
    if (!board.move(direction)) {
      return false;
    }
    byte[] moves = plan;
    if (moves != null && made < moves.length && moves[made] == direction) {
      made++;
    } else {
      plan = null;
    }
    return true;
  }

  @Override
  public Optional<BufferedImage> render() {
    return Optional.of(BoardPicture.forPeople(board));
  }
}

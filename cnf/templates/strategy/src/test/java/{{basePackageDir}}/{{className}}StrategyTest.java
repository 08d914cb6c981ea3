package {{basePackageName}};

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.TrainStrategy;
import roll.testkit.StrategyContract;

/** The contract of strategies, and what is special about this one. */
class {{className}}StrategyTest extends StrategyContract {
  private static final int VOCABULARY = 11;

  @TempDir private Path model;

  @BeforeEach
  void makeModel() throws Exception {
    Files.writeString(model.resolve("config.json"), "{\"vocab_size\": " + VOCABULARY + "}");
  }

  @Override
  protected TrainStrategy training() {
    return new {{className}}Strategy();
  }

  @Override
  protected InferStrategy inference() {
    return new {{className}}Strategy();
  }

  @Override
  protected Path model() {
    return model;
  }

  @Override
  protected int vocabulary() {
    return VOCABULARY;
  }

  @Test
  void theModelSaysHowManyTokensThereAre(@TempDir Path empty) {
    assertEquals(VOCABULARY, {{className}}Table.vocabulary(model));
    assertThrows(UserException.class, () -> {{className}}Table.vocabulary(empty));
  }
}

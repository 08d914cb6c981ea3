package roll.strategy.hf_infer;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The same with a Qwen3-VL, whose pictures are also added after the first layers. */
final class HfDeepStackTest extends HfSeeingTest {
  HfDeepStackTest(@TempDir Path folder) throws IOException {
    super(folder, true);
  }
}

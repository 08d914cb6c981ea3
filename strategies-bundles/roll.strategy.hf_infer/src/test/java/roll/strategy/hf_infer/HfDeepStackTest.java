package roll.strategy.hf_infer;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** A Qwen3-VL, which adds features of pictures after its first layers too. */
final class HfDeepStackTest extends HfSeeingTestBase {
  HfDeepStackTest(@TempDir Path folder) throws IOException {
    super(folder, true);
  }
}

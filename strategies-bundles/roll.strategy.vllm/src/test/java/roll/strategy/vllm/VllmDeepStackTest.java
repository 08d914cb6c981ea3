package roll.strategy.vllm;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The same with a Qwen3-VL, whose pictures are also added after the first layers. */
final class VllmDeepStackTest extends VllmSeeingTest {
  VllmDeepStackTest(@TempDir Path folder) throws IOException {
    super(folder, true);
  }
}

package roll.core.output;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StaleStepFilesTest {
  @Test
  void removes_the_files_of_steps_that_are_taken_again(@TempDir Path folder) throws Exception {
    StaleStepFiles.to(folder, 0); // nothing is there
    for (String file :
        List.of(
            "trajectories/step-4.jsonl",
            "trajectories/step-5.jsonl",
            "trajectories/step-10.jsonl",
            "trajectories/notes.txt",
            "times/step-4.jsonl",
            "times/step-5.jsonl",
            "not-finite/step-5.json",
            "metrics.jsonl")) {
      Files.createDirectories(folder.resolve(file).getParent());
      Files.writeString(folder.resolve(file), "");
    }
    StaleStepFiles.to(folder, 5);
    try (Stream<Path> files = Files.walk(folder)) {
      assertEquals(
          List.of(
              "metrics.jsonl",
              "times/step-4.jsonl",
              "trajectories/notes.txt",
              "trajectories/step-4.jsonl"),
          files
              .filter(Files::isRegularFile)
              .map(file -> folder.relativize(file).toString())
              .sorted()
              .toList());
    }
  }
}

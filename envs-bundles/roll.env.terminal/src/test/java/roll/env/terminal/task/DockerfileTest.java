package roll.env.terminal.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Dockerfiles that need no build. */
@NullMarked
class DockerfileTest {
  @Test
  void directoryVariablesAndCopiesAreRead() throws Exception {
    Dockerfile read =
        Dockerfile.parse(
            """
            # syntax=docker/dockerfile:1
            FROM python:3.13-slim

            LABEL a=b
            ENV A=1 \\
                B="two words" C='3'
            WORKDIR /app
            copy one.txt two.txt \\
              texts/
            WORKDIR sub
            COPY . .
            CMD ["sleep", "infinity"]
            """);
    assertEquals("python:3.13-slim", read.image());
    assertEquals("/app/sub", read.directory());
    assertEquals(Map.of("A", "1", "B", "two words", "C", "3"), read.environment());
    assertEquals(
        List.of(
            new Dockerfile.Copy(8, List.of("one.txt", "two.txt"), "texts/", "/app"),
            new Dockerfile.Copy(11, List.of("."), ".", "/app/sub")),
        read.copies());
    assertNull(Dockerfile.parse("FROM ubuntu").directory());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "RUN apt-get update|line 2: RUN needs a build",
        "ADD a b|line 2: ADD needs a build",
        "USER nobody|line 2: USER needs a build",
        "FROM ubuntu|line 2: FROM with stages, flags or arguments",
        "COPY --from=x a b|line 2: COPY with flags, patterns, quotes or variables",
        "COPY *.txt .|line 2: COPY with flags, patterns, quotes or variables",
        "COPY a|line 2: COPY with flags, patterns, quotes or variables",
        "ENV A=$B|line 2: ENV A=$B",
        "ENV A b|line 2: ENV A b",
        "WORKDIR $HOME|line 2: WORKDIR $HOME",
      })
  void anythingElseIsNamedWithItsLine(String line, String message) {
    Exception refused =
        assertThrows(Dockerfile.Unsupported.class, () -> Dockerfile.parse("FROM ubuntu\n" + line));
    assertEquals(message + " (allowed: " + Dockerfile.ALLOWED + ")", refused.getMessage());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|line 1: there is no FROM",
        "'\\'|line 1:  before FROM",
        "WORKDIR /app|line 1: WORKDIR before FROM",
        "FROM $BASE|line 1: FROM with stages, flags or arguments",
        "FROM a AS b|line 1: FROM with stages, flags or arguments"
      })
  void theImageComesFirst(String text, String message) {
    Exception refused =
        assertThrows(Dockerfile.Unsupported.class, () -> Dockerfile.parse(text + "\n\n"));
    assertEquals(message + " (allowed: " + Dockerfile.ALLOWED + ")", refused.getMessage());
  }
}

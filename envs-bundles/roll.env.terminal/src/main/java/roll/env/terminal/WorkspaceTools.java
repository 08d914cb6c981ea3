package roll.env.terminal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import roll.api.tool.ToolResult;
import roll.api.tool.ToolSchema;
import roll.api.tool.ToolSchema.Argument;
import roll.api.workspace.CommandResult;
import roll.api.workspace.Workspace;
import roll.api.workspace.WorkspaceCommand;

/**
 * The tools of an agent in a workspace.
 *
 * @param workspace where they act
 * @param environment variables of commands
 * @param limits of one call
 */
record WorkspaceTools(Workspace workspace, Map<String, String> environment, CallLimits limits) {
  private static final String SHELL = "shell";
  private static final String READ = "read_file";
  private static final String WRITE = "write_file";
  private static final String EDIT = "edit_file";
  private static final String SEARCH = "search";

  private static final Argument PATH = Argument.text("path", "The path of the file.");

  /** Bytes of a file that {@code edit_file} changes. */
  private static final long MOST_EDITED = 4 << 20;

  /** Extended regular expressions of grep, sorted since folders have no order. */
  private static final String GREP =
      "grep -rnIE -e \"$1\" -- ${2:+\"$2\"} | LC_ALL=C sort -t : -k 1,1 -k 2,2n";

  /** The tools as the model sees them. */
  static final List<ToolSchema> SCHEMAS =
      List.of(
          ToolSchema.of(
              SHELL,
              "Runs a command by bash in the working directory and returns its output and its exit"
                  + " status. Each call is a new shell; there is no terminal for input.",
              Argument.text("command", "The command.")),
          ToolSchema.of(READ, "Returns the text of a file.", PATH),
          ToolSchema.of(
              WRITE,
              "Writes a file, with its folders, in place of one that exists.",
              PATH,
              Argument.text("content", "The whole text of the file.")),
          ToolSchema.of(
              EDIT,
              "Replaces a text that occurs exactly once in a file.",
              PATH,
              Argument.text("old", "The text to replace, with all its spaces."),
              Argument.text("new", "The text in its place.")),
          optional(
              ToolSchema.of(
                  SEARCH,
                  "Lists the lines that match a pattern in all files, as path:line number:text.",
                  Argument.text("pattern", "An extended regular expression."),
                  Argument.text("path", "The file or folder to search, by default everything."))));

  /**
   * Limits of a call.
   *
   * @param time time limit of a command
   * @param output maximum number of bytes of a result
   */
  record CallLimits(Duration time, int output) {}

  /** Makes {@code path} optional. */
  private static ToolSchema optional(ToolSchema schema) {
    Map<String, Object> parameters = new LinkedHashMap<>(schema.parameters());
    parameters.put("required", List.of("pattern"));
    return new ToolSchema(schema.name(), schema.description(), parameters);
  }

  /**
   * Executes a call; what fails in the workspace is its result.
   *
   * @throws IOException if the workspace is lost
   */
  ToolResult call(String tool, Map<String, Object> arguments)
      throws IOException, InterruptedException {
    return switch (tool) {
      case SHELL -> result(run("/bin/bash", "-c", text(arguments, "command")));
      case SEARCH -> found(arguments);
      case READ, WRITE, EDIT -> file(tool, arguments);
      default -> throw new IllegalArgumentException(tool);
    };
  }

  private static String text(Map<String, Object> arguments, String name) {
    Object value = arguments.get(name);
    return value == null ? "" : value.toString();
  }

  private CommandResult run(String... words) throws IOException, InterruptedException {
    return workspace.run(
        new WorkspaceCommand(List.of(words), environment, limits.time(), limits.output()));
  }

  private ToolResult result(CommandResult done) {
    String output = done.output();
    if (done.dropped() > 0) {
      output = middle(output, done.dropped());
    }
    if (!output.isEmpty() && !output.endsWith("\n")) {
      output += "\n";
    }
    return switch (done.outcome()) {
      case EXITED -> ToolResult.of(output + "[exit status " + done.status() + "]");
      case TIMEOUT ->
          ToolResult.error(output + "[ended after " + limits.time().toMillis() / 1000.0 + " s]");
      case MEMORY -> ToolResult.error(output + "[ended: out of memory]");
      case ENDED -> ToolResult.error(output + "[ended]");
    };
  }

  /** Marks the place in the middle where bytes were dropped. */
  private static String middle(String output, long dropped) {
    int half = output.length() / 2;
    return output.substring(0, half)
        + "\n["
        + dropped
        + " bytes omitted]\n"
        + output.substring(half);
  }

  private ToolResult found(Map<String, Object> arguments) throws IOException, InterruptedException {
    CommandResult done =
        run("/bin/sh", "-c", GREP, "sh", text(arguments, "pattern"), text(arguments, "path"));
    return done.succeeded() && done.output().isEmpty() ? ToolResult.of("no match") : lines(done);
  }

  private ToolResult lines(CommandResult done) {
    return done.succeeded() && done.dropped() == 0
        ? ToolResult.of(done.output().stripTrailing())
        : result(done);
  }

  private ToolResult file(String tool, Map<String, Object> arguments) {
    String path = text(arguments, "path");
    try {
      return switch (tool) {
        case READ -> ToolResult.of(shown(workspace.read(path, MOST_EDITED)));
        case WRITE -> {
          workspace.write(path, text(arguments, "content").getBytes(StandardCharsets.UTF_8));
          yield ToolResult.of("written");
        }
        default -> edit(path, text(arguments, "old"), text(arguments, "new"));
      };
    } catch (IOException e) {
      return ToolResult.error(path + ": " + e.getMessage());
    }
  }

  private String shown(byte[] bytes) {
    int most = limits.output();
    String text = new String(bytes, 0, Math.min(most, bytes.length), StandardCharsets.UTF_8);
    return bytes.length > most ? text + "\n[" + (bytes.length - most) + " bytes omitted]" : text;
  }

  private ToolResult edit(String path, String old, String replacement) throws IOException {
    String before = strict(workspace.read(path, MOST_EDITED));
    int at = old.isEmpty() ? -1 : before.indexOf(old);
    if (at < 0) {
      return ToolResult.error("The text to replace is not in the file.");
    }
    if (before.indexOf(old, at + 1) >= 0) {
      return ToolResult.error("The text to replace occurs several times; give more of it.");
    }
    String after = before.substring(0, at) + replacement + before.substring(at + old.length());
    workspace.write(path, after.getBytes(StandardCharsets.UTF_8));
    return ToolResult.of("replaced");
  }

  private static String strict(byte[] bytes) throws IOException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new IOException("the file is not UTF-8", e);
    }
  }
}

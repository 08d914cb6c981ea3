package roll.shell.completion;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jline.reader.Candidate;

/** The system that commands run in, as far as a line can name something of it. */
interface KnownNames {
  /** Names under which services of a kind are registered, sorted. */
  List<String> ids(String kind);

  /** Commands without their scope. */
  List<String> commands();

  /** Numbers of the runs. */
  List<String> runs();

  /** Symbolic names of what was deployed. */
  List<String> deployed();

  /** Dotted paths of the keys of a configuration. */
  List<String> keys();

  /** Options of the environment {@code id}, each with its equals sign. */
  Stream<String> options(String id);

  /** Folders and those files whose name is {@code wanted}, that begin as {@code typed}. */
  List<Candidate> files(String typed, Predicate<String> wanted);
}

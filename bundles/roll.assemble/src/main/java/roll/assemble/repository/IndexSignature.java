package roll.assemble.repository;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.text.OneLine;

/** Verifies a detached OpenPGP signature with the program {@code gpg}. */
final class IndexSignature {
  private static final Pattern GOOD = status("GOODSIG");
  private static final Pattern BAD = status("(?:BADSIG|EXPSIG|EXPKEYSIG|REVKEYSIG)");
  private static final Pattern UNKNOWN = status("NO_PUBKEY");

  private final String name;
  private final Path folder;

  private IndexSignature(String name, Path folder) {
    this.name = name;
    this.folder = folder;
  }

  /** A line of {@code gpg --status-fd}: the id of the key, and its owner if gpg knows that. */
  private static Pattern status(String word) {
    return Pattern.compile("(?m)^\\[GNUPG:] " + word + " (\\S+)[ ]?(.*)$");
  }

  /**
   * Verifies the signature of {@code content}; without {@code key} by the keys that the user's gpg
   * knows, if there is a gpg.
   *
   * @param name of the index, for messages
   * @return one phrase: who signed, or why that is not known
   * @throws UserException if the signature is bad, or if {@code key} is given and did not sign
   */
  static String verify(String name, byte[] content, byte @Nullable [] signature, @Nullable Path key)
      throws InterruptedException {
    if (signature == null) {
      if (key != null) {
        throw new UserException(name + ": it is not signed: " + name + ".asc is missing");
      }
      return "not signed";
    }
    try {
      Path folder = Files.createTempDirectory("roll-gpg");
      try {
        Files.write(folder.resolve("index"), content);
        Files.write(folder.resolve("index.asc"), signature);
        return new IndexSignature(name, folder).verify(key);
      } finally {
        delete(folder);
      }
    } catch (IOException e) {
      if (key != null) {
        throw new UserException(
            name + ": gpg is needed to verify the signature: " + OneLine.of(e), e);
      }
      return "signature not verified: no gpg";
    }
  }

  private String verify(@Nullable Path key) throws IOException, InterruptedException {
    List<String> options = new ArrayList<>(List.of("--no-autostart", "--no-auto-key-retrieve"));
    if (key != null) {
      if (!Files.isRegularFile(key)) {
        throw new UserException(key + ": no such file; expected a public key");
      }
      options.addAll(List.of("--homedir", folder.toString(), "--trust-model", "always"));
      gpg(options, "--import", key.toAbsolutePath().toString());
    }
    String said = gpg(options, "--verify", "index.asc", "index");
    Matcher bad = BAD.matcher(said);
    if (bad.find()) {
      throw new UserException(
          OneLine.of(name + ": its signature by " + signer(bad) + " is bad or expired"));
    }
    Matcher good = GOOD.matcher(said);
    Matcher unknown = UNKNOWN.matcher(said);
    if (good.find()) {
      return "signed by " + signer(good);
    }
    if (key != null) {
      throw new UserException(name + ": it is not signed by the key in " + key);
    }
    return unknown.find()
        ? "signature not verified: key " + OneLine.of(unknown.group(1)) + " is unknown to gpg"
        : "signature not verified: gpg cannot read it";
  }

  private static String signer(Matcher status) {
    return OneLine.of(status.group(2) + " (" + status.group(1) + ")");
  }

  private String gpg(List<String> options, String... words)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("gpg", "--batch", "--status-fd", "1"));
    command.addAll(options);
    command.addAll(List.of(words));
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectInput(ProcessBuilder.Redirect.from(folder.resolve("index.asc").toFile()))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      process.waitFor();
      return said;
    } finally {
      process.destroyForcibly();
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.toList().reversed()) {
        Files.deleteIfExists(file);
      }
    }
  }
}

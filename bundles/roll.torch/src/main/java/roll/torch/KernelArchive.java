package roll.torch;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Writes a TorchScript archive: a ZIP of stored entries with a version, an empty table of
 * constants, a pickled module without state, and the source of its class (PyTorch,
 * torch/csrc/jit/docs/serialization.md).
 */
final class KernelArchive {
  /** Pickle, protocol 2: an object of class __torch__.Kernels with state {"training": False}. */
  private static final String MODULE =
      "8002635F5F746F7263685F5F0A4B65726E656C730A710029817D28"
          + "5808000000747261696E696E678975622E";

  /** Pickle, protocol 2: an empty tuple. */
  private static final String NO_CONSTANTS = "8002292E";

  private static final Pattern CONSTANT = Pattern.compile("self\\.([A-Z][A-Z_]*)\\b");

  private KernelArchive() {}

  /** Returns the archive of a module with {@code source}. */
  static byte[] of(String source) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      zip.setMethod(ZipOutputStream.STORED);
      put(zip, "k/data.pkl", HexFormat.of().parseHex(MODULE));
      put(zip, "k/constants.pkl", HexFormat.of().parseHex(NO_CONSTANTS));
      put(zip, "k/code/__torch__.py", source.getBytes(StandardCharsets.UTF_8));
      put(zip, "k/version", "3\n".getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }

  /** Returns the source of a class with all of {@code sources}, in which constants are numbers. */
  static String source(Map<String, Object> constants, List<String> sources) {
    StringBuilder text = new StringBuilder();
    text.append("class Kernels(Module):\n");
    text.append("  __parameters__ = []\n  __buffers__ = []\n  training : bool\n");
    sources.stream()
        .flatMap(String::lines)
        .map(line -> withConstants(line, constants))
        .filter(line -> !line.isBlank())
        .forEach(line -> text.append("  ").append(line).append('\n'));
    return text.toString();
  }

  /** Replaces constants by their values, as PyTorch does in its archives. */
  private static String withConstants(String line, Map<String, Object> constants) {
    return CONSTANT.matcher(line).replaceAll(found -> literal(found.group(1), constants));
  }

  private static String literal(String name, Map<String, Object> constants) {
    return switch (constants.get(name)) {
      case Integer number -> number.toString();
      case Double number -> number.toString().toLowerCase(Locale.ROOT);
      case Boolean flag -> flag ? "True" : "False";
      case String text -> '"' + text + '"';
      case null, default -> throw new IllegalArgumentException("no constant self." + name);
    };
  }

  private static void put(ZipOutputStream zip, String name, byte[] data) throws IOException {
    ZipEntry entry = new ZipEntry(name);
    CRC32 crc = new CRC32();
    crc.update(data);
    entry.setSize(data.length);
    entry.setCrc(crc.getValue());
    zip.putNextEntry(entry);
    zip.write(data);
  }
}

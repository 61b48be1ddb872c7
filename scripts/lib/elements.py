"""Names that the JSON has for the bits of elements, by the number of the bit."""


def numbered(text):
    words = text.split()
    return {int(bit): name for bit, name in zip(words[::2], words[1::2])}


EXTENDED_CAPABILITIES = numbered("""
    0 bss2040CoexistenceManagement 1 glk 2 extendedChannelSwitching 3 glkGCR 4 psmp 6 sPSMP 7 event 8 diagnostics
    9 multicastDiagnostics 10 locationTracking 11 fms 12 proxyARP 13 collocatedInterferenceReporting 14 civicLocation
    15 geospatialLocation 16 tfs 17 wnmSleepMode 18 timBroadcast 19 bssTransition 20 qosTrafficCapability
    21 acStationCount 22 multipleBSSID 23 timingMeasurement 24 channelUsage 25 ssidList 26 dms 27 utcTSFOffset
    28 tpuBufferSTA 29 tdlsPeerPSM 30 tdlsChannelSwitching 31 interworking 32 qosMap 33 ebr 34 sspnInterface 36 msgcf
    37 tdls 38 tdlsProhibited 39 tdlsChannelSwitchingProhibited 40 rejectUnadmittedFrame 44 identifierLocation
    45 uapsdCoexistence 46 wnmNotification 47 qab 48 utf8SSID 49 qmfActivated 50 qmfReconfigurationActivated
    51 robustAVStreaming 52 advancedGCR 53 meshGCR 54 scs 55 qloadReport 56 alternateEDCA
    57 unprotectedTXOPNegotiation 58 protectedTXOPNegotiation 60 protectedQLoadReport 61 tdlsWiderBandwidth
    62 operatingModeNotification 65 channelScheduleManagement 66 geodatabaseInbandEnablingSignal
    67 networkChannelControl 68 whiteSpaceMap 69 channelAvailabilityQuery 70 ftmResponder 71 ftmInitiator 72 fils
    73 extendedSpectrumManagement 74 futureChannelGuidance 77 twtRequester 78 twtResponder
    79 obssNarrowBandwidthRUInULOFDMATolerance 80 completeListOfNontransmittedBSSIDProfiles
    81 saePasswordIdentifiersInUse 82 saePasswordIdentifiersUsedExclusively 83 enhancedMultipleBSSIDAdvertisement
    84 beaconProtection
""")
RM_CAPABILITIES = numbered("""
    0 linkMeasurement 1 neighborReport 2 parallelMeasurements 3 repeatedMeasurements 4 beaconPassiveMeasurement
    5 beaconActiveMeasurement 6 beaconTableMeasurement 7 beaconMeasurementReportingConditions 8 frameMeasurement
    9 channelLoadMeasurement 10 noiseHistogramMeasurement 11 statisticsMeasurement 12 lciMeasurement 13 lciAzimuth
    14 transmitStreamCategoryMeasurement 15 triggeredTransmitStreamCategoryMeasurement 16 apChannelReport 17 rmMIB
    27 measurementPilotTransmissionInformation 28 neighborReportTSFOffset 29 rcpiMeasurement 30 rsniMeasurement
    31 bssAverageAccessDelay 32 bssAvailableAdmissionCapacity 33 antenna 34 ftmRangeReport 35 civicLocationMeasurement
""")
